// Runs PostgreSQL's own programs for tests: initdb, and a postmaster that ends with its parent.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace mj::pg::testing {

// Says why on stderr and ends the test program: a test without its database proves nothing.
[[noreturn]] void Die(const std::string& why);

// The folder of initdb and postgres, of the newest PostgreSQL installed.
[[nodiscard]] std::string ServerPrograms();

// Makes `folder` (mode 0700), owned by whoever runs PostgreSQL: root may not, so then it is the
// system user `postgres`.
void MakeServerFolder(const std::string& folder);

// Runs a program as that user and waits. Output goes to `log`; Die() unless it exits with 0.
void RunToEnd(const std::vector<std::string>& command, const std::string& log);

// Starts a program as that user and returns its process id. It gets SIGQUIT when the thread that
// called this ends, however it ends.
[[nodiscard]] pid_t StartTied(const std::vector<std::string>& command, const std::string& log);

// Kills a server that StartTied started, and every process of its own at once, as a power failure
// does; returns when all of them are gone. (A server process that outlives its postmaster for a
// moment would answer once more, and keep the next postmaster from starting.)
void KillServer(pid_t postmaster);

// What initdb and postgres are run with: durability off (a test's data dies with the test), one
// socket in `socket_folder`, no TCP.
[[nodiscard]] std::vector<std::string> InitdbCommand(const std::string& data);
[[nodiscard]] std::vector<std::string> PostgresCommand(const std::string& data,
                                                       const std::string& socket_folder);

// libpq's URL of a database behind such a socket.
[[nodiscard]] std::string SocketUrl(const std::string& socket_folder, const std::string& database);

// Whether a server answers there now.
[[nodiscard]] bool Answers(const std::string& socket_folder);

// Waits until a server answers; Die() with the tail of `log` after a minute.
void WaitUntilAnswers(const std::string& socket_folder, const std::string& log);

}  // namespace mj::pg::testing
