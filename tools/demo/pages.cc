#include "tools/demo/pages.h"

namespace mj::demo {

Pages::Pages(std::size_t count, std::ostream& out) : pages_(count), out_(out) {}

void Pages::Write(std::size_t page, std::string_view text) {
  base::MutexLock lock(mutex_);
  if (page == open_) {
    out_ << text << std::flush;
  } else {
    pages_[page].waiting += text;
  }
}

void Pages::Close(std::size_t page) {
  base::MutexLock lock(mutex_);
  pages_[page].closed = true;
  while (open_ < pages_.size() && pages_[open_].closed) {
    if (++open_ < pages_.size()) out_ << pages_[open_].waiting;
  }
  out_ << std::flush;
}

}  // namespace mj::demo
