// Several tables tell their rounds at once; a person reads one table after the other.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/mutex.h"

namespace mj::demo {

// Text goes out page by page in the pages' order: the first page that is not closed is written at
// once, what comes for a later one waits for its turn. Thread-safe.
class Pages {
 public:
  // `out` outlives it, and nobody else writes to it before all pages are closed.
  Pages(std::size_t count, std::ostream& out);

  // REQUIRES: page < count, and the page is not closed.
  void Write(std::size_t page, std::string_view text);
  // Nothing more comes for this page.
  void Close(std::size_t page);

 private:
  struct Page {
    std::string waiting;
    bool closed = false;
  };

  mutable base::Mutex mutex_;
  std::vector<Page> pages_ ABSL_GUARDED_BY(mutex_);
  std::size_t open_ ABSL_GUARDED_BY(mutex_) = 0;
  std::ostream& out_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::demo
