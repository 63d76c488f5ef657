#include "libs/pg/process_testing.h"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mj::pg::testing {
namespace {

namespace fs = std::filesystem;

const passwd* ServerUser() {
  static const passwd* const user = [] {
    errno = 0;
    const passwd* const found = getpwnam("postgres");
    if (found == nullptr) Die("running as root, and there is no system user postgres");
    return found;
  }();
  return user;
}

// What happens between fork and exec. Uses nothing that may allocate or lock.
[[noreturn]] void Exec(char* const* argv, const char* log, const passwd* user, bool tied,
                       pid_t parent) {
  const int out = open(log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (out < 0 || in < 0) _exit(126);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  if (chdir("/") != 0) _exit(126);
  if (user != nullptr) {
    if (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0) {
      _exit(126);
    }
  }
  if (tied) {
    if (prctl(PR_SET_PDEATHSIG, SIGQUIT) != 0) _exit(126);
    if (getppid() != parent) _exit(126);  // the parent was gone before the signal was asked for
  }
  execv(argv[0], argv);
  _exit(127);
}

pid_t Fork(const std::vector<std::string>& command, const std::string& log, bool tied) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const passwd* const user = geteuid() == 0 ? ServerUser() : nullptr;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) Die(std::string("fork: ") + std::strerror(errno));
  if (child == 0) Exec(argv.data(), log.c_str(), user, tied, parent);
  return child;
}

std::string Tail(const std::string& log) {
  std::ifstream in(log);
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  return all.size() > 3000 ? all.substr(all.size() - 3000) : all;
}

// Neither gone nor a zombie that its parent has not yet collected.
bool Lives(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  std::getline(file, stat);
  const std::size_t end = stat.rfind(") ");
  return end != std::string::npos && stat[end + 2] != 'Z' && stat[end + 2] != 'X';
}

}  // namespace

void Die(const std::string& why) {
  std::fprintf(stderr, "PostgreSQL for tests: %s\n", why.c_str());
  std::fflush(stderr);
  _exit(1);
}

std::string ServerPrograms() {
  std::string newest;
  int version_max = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version > version_max && fs::exists(entry.path() / "bin" / "initdb")) {
      version_max = version;
      newest = (entry.path() / "bin").string();
    }
  }
  if (newest.empty()) Die("no server below /usr/lib/postgresql: install postgresql-15");
  return newest;
}

void MakeServerFolder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0700) != 0) Die("mkdir " + folder + ": " + std::strerror(errno));
  if (geteuid() == 0) {
    const passwd* const user = ServerUser();
    if (chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) Die("chown " + folder);
  }
}

void RunToEnd(const std::vector<std::string>& command, const std::string& log) {
  const pid_t child = Fork(command, log, /*tied=*/false);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) Die("waitpid");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) Die(command[0] + " failed:\n" + Tail(log));
}

pid_t StartTied(const std::vector<std::string>& command, const std::string& log) {
  return Fork(command, log, /*tied=*/true);
}

void KillServer(pid_t postmaster) {
  const std::string proc = "/proc/" + std::to_string(postmaster);
  kill(postmaster, SIGSTOP);  // no new process while they are listed
  std::ifstream list(proc + "/task/" + std::to_string(postmaster) + "/children");
  std::vector<pid_t> processes;
  for (pid_t child = 0; list >> child;) processes.push_back(child);
  kill(postmaster, SIGKILL);
  for (const pid_t child : processes) kill(child, SIGKILL);
  waitpid(postmaster, nullptr, 0);
  for (const pid_t child : processes) {
    while (Lives(child)) usleep(1'000);
  }
}

std::vector<std::string> InitdbCommand(const std::string& data) {
  return {ServerPrograms() + "/initdb", "--pgdata=" + data, "--no-sync", "--auth=trust",
          "--username=postgres",        "--encoding=UTF8",  "--locale=C"};
}

std::vector<std::string> PostgresCommand(const std::string& data,
                                         const std::string& socket_folder) {
  std::vector<std::string> command = {
      ServerPrograms() + "/postgres", "-D", data, "-k", socket_folder, "-p", "5432"};
  for (const char* const setting :
       {"listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=400",
        "shared_buffers=64MB", "jit=off", "autovacuum=off", "log_min_messages=warning",
        "log_line_prefix=%m [%p] %d ", "max_wal_size=4GB", "checkpoint_timeout=1h",
        "timezone=UTC"}) {
    command.insert(command.end(), {"-c", setting});
  }
  return command;
}

std::string SocketUrl(const std::string& socket_folder, const std::string& database) {
  return "postgresql:///" + database + "?host=" + socket_folder + "&user=postgres";
}

bool Answers(const std::string& socket_folder) {
  return PQping(SocketUrl(socket_folder, "postgres").c_str()) == PQPING_OK;
}

void WaitUntilAnswers(const std::string& socket_folder, const std::string& log) {
  for (int attempt = 0; attempt < 6000; ++attempt) {
    if (Answers(socket_folder)) return;
    usleep(10'000);
  }
  Die("the server does not answer:\n" + Tail(log));
}

}  // namespace mj::pg::testing
