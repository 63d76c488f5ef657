// How mahjongctl ends.
#pragma once

namespace mj::mahjongctl {

enum ExitCode : int {
  kDone = 0,  // every line of the input has its line of output, an error where it is malformed
  kFailed =
      1,       // the one thing that was asked for could not be done (a hand that cannot be, a table
               // that cannot be watched), the books are wrong, or not everybody was seated once
  kUsage = 2,  // a wrong command line
  kNoInput = 3,      // the input cannot be read
  kUnavailable = 4,  // the service given by --target, or the database, does not answer
  kNoOutput = 5,     // standard output cannot be written
};

}  // namespace mj::mahjongctl
