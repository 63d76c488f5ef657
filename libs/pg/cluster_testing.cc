#include "libs/pg/cluster_testing.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "libs/pg/migrations_testing.h"
#include "libs/pg/process_testing.h"

namespace mj::pg::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kKeeperTickMs = 200;
constexpr int kKeeperIdleTicks = 10;

std::string Data(const std::string& folder) { return folder + "/data"; }
std::string Log(const std::string& folder) { return folder + "/log"; }

// --- the folder that all test programs of one working directory and user share ---

std::string SharedFolder() {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : fs::current_path().string()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  std::string temporary = fs::temp_directory_path().string();
  if (temporary.size() > 40) temporary = "/tmp";  // a socket's path has 107 bytes at most
  char name[64];
  std::snprintf(name, sizeof name, "/mj-pg-%u-%08llx", static_cast<unsigned>(geteuid()),
                static_cast<unsigned long long>(hash & 0xffffffffU));
  const std::string folder = temporary + name;
  if (mkdir(folder.c_str(), 0711) != 0 && errno != EEXIST) Die("mkdir " + folder);
  struct stat found{};
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
    Die(folder + " is not a folder of ours");
  }
  return folder;
}

// A folder for one cluster of this process' own. Removes those of processes that are gone first.
std::string MakeOwnFolder() {
  std::string temporary = fs::temp_directory_path().string();
  if (temporary.size() > 40) temporary = "/tmp";
  const std::string prefix = "mj-pg-own-" + std::to_string(geteuid()) + "-";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(temporary, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) != 0) continue;
    const int pid = std::atoi(name.c_str() + prefix.size());
    if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
  std::string pattern = temporary + "/" + prefix + std::to_string(getpid()) + "-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) Die("mkdtemp " + pattern);
  if (chmod(pattern.c_str(), 0711) != 0) Die("chmod " + pattern);
  return pattern;
}

int OpenLock(const std::string& path) {
  const int file = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) Die("open " + path + ": " + std::strerror(errno));
  return file;
}

void Lock(int file, int how) {
  while (flock(file, how) != 0) {
    if (errno != EINTR) Die("flock");
  }
}

// --- the keeper: parent of the shared postmaster, ends it when nobody uses it ---

[[noreturn]] void Keep(const std::string& folder) {
  prctl(PR_SET_NAME, "mj-pg-keeper");
  setsid();
  const long files_max = sysconf(_SC_OPEN_MAX);
  for (int file = 3; file < static_cast<int>(files_max > 4096 ? 4096 : files_max); ++file) {
    close(file);
  }
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {0, 1, 2}) dup2(null, standard);

  const int lock = OpenLock(folder + "/lock");
  const int users = OpenLock(folder + "/users");
  const pid_t postmaster = StartTied(PostgresCommand(Data(folder), Data(folder)), Log(folder));
  int idle_ticks = 0;
  for (;;) {
    usleep(kKeeperTickMs * 1000);
    if (waitpid(postmaster, nullptr, WNOHANG) == postmaster) _exit(1);
    // Users come in under `lock` only, so while it is held nobody can come in between.
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) continue;
    if (flock(users, LOCK_EX | LOCK_NB) == 0) {
      if (++idle_ticks >= kKeeperIdleTicks) {
        kill(postmaster, SIGINT);
        waitpid(postmaster, nullptr, 0);
        std::error_code ignored;
        fs::remove_all(Data(folder), ignored);
        _exit(0);  // and both locks are free
      }
      flock(users, LOCK_UN);
    } else {
      idle_ticks = 0;
    }
    flock(lock, LOCK_UN);
  }
}

void StartKeeper(const std::string& folder) {
  const pid_t between = fork();
  if (between < 0) Die("fork");
  if (between == 0) {
    if (fork() == 0) Keep(folder);
    _exit(0);
  }
  waitpid(between, nullptr, 0);
}

// --- statements of the kit itself ---

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

Connection Connect(const std::string& url) {
  Connection connection(PQconnectdb(url.c_str()), &PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK) Die(PQerrorMessage(connection.get()));
  PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
  return connection;
}

Result Send(PGconn* connection, const std::string& sql) {
  return {PQexec(connection, sql.c_str()), &PQclear};
}

bool Took(const Result& result) {
  const ExecStatusType status = PQresultStatus(result.get());
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

std::string MustExecute(PGconn* connection, const std::string& sql) {
  const Result result = Send(connection, sql);
  if (!Took(result)) Die(std::string(PQerrorMessage(connection)) + "in: " + sql.substr(0, 400));
  if (PQntuples(result.get()) == 0 || PQnfields(result.get()) == 0) return "";
  return PQgetvalue(result.get(), 0, 0);
}

// Makes the template database of these migrations unless it is there. Many test programs may try
// at once: an advisory lock lets one at a time, and only a complete template gets the name.
void EnsureTemplate(const Cluster& cluster, const std::vector<Migration>& migrations,
                    const std::string& name) {
  const Connection admin = Connect(cluster.Url("postgres"));
  const std::string there = "SELECT 1 FROM pg_database WHERE datname = '" + name + "'";
  if (!MustExecute(admin.get(), there).empty()) return;
  MustExecute(admin.get(), "SELECT pg_advisory_lock(8127)");
  if (!MustExecute(admin.get(), there).empty()) return;
  const std::string unfinished = name + "_unfinished";
  MustExecute(admin.get(), "DROP DATABASE IF EXISTS " + unfinished + " WITH (FORCE)");
  MustExecute(admin.get(), "CREATE DATABASE " + unfinished);
  {
    const Connection fresh = Connect(cluster.Url(unfinished));
    for (const Migration& migration : migrations) {
      const Result result = Send(fresh.get(), "BEGIN;\n" + migration.up + "\n;COMMIT");
      if (!Took(result)) Die("migrations/" + migration.file + ": " + PQerrorMessage(fresh.get()));
    }
  }
  MustExecute(admin.get(), "ALTER DATABASE " + unfinished + " RENAME TO " + name);
}

}  // namespace

Cluster& Cluster::Shared() {
  static Cluster* const shared = new Cluster(SharedTag{});  // lives as long as the program
  return *shared;
}

Cluster::Cluster(SharedTag) : folder_(SharedFolder()) {
  const int lock = OpenLock(folder_ + "/lock");
  Lock(lock, LOCK_EX);
  // Held until this process is gone; the keeper watches it.
  Lock(OpenLock(folder_ + "/users"), LOCK_SH);
  if (!Answers(Data(folder_))) {
    std::error_code ignored;
    fs::remove_all(Data(folder_), ignored);
    fs::remove(Log(folder_), ignored);
    MakeServerFolder(Data(folder_));
    RunToEnd(InitdbCommand(Data(folder_)), "/dev/null");
    StartKeeper(folder_);
    WaitUntilAnswers(Data(folder_), Log(folder_));
  }
  close(lock);
}

Cluster::Cluster(Durability durability)
    : folder_(MakeOwnFolder()), own_(true), durability_(durability) {
  MakeServerFolder(Data(folder_));
  RunToEnd(InitdbCommand(Data(folder_)), "/dev/null");
  Start();
}

Cluster::~Cluster() {
  if (!own_) return;
  Stop();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Cluster::Url(std::string_view database) const {
  return SocketUrl(Data(folder_), std::string(database));
}

void Cluster::Start() {
  if (!own_) Die("the shared cluster is not to be started by a test");
  std::vector<std::string> command = PostgresCommand(Data(folder_), Data(folder_));
  if (durability_ == Durability::kDurable) {
    // The last of a setting counts.
    for (const char* const setting : {"fsync=on", "full_page_writes=on", "autovacuum=on"}) {
      command.insert(command.end(), {"-c", setting});
    }
  }
  postmaster_ = StartTied(command, Log(folder_));
  WaitUntilAnswers(Data(folder_), Log(folder_));
}

void Cluster::Stop() {
  if (!own_) Die("the shared cluster is not to be stopped by a test");
  if (postmaster_ < 0) return;
  kill(postmaster_, SIGINT);
  waitpid(postmaster_, nullptr, 0);
  postmaster_ = -1;
}

void Cluster::Kill() {
  if (!own_) Die("the shared cluster is not to be killed by a test");
  if (postmaster_ < 0) return;
  KillServer(postmaster_);
  postmaster_ = -1;
}

Database::Database(Cluster& cluster) : Database(cluster, ReadAllMigrations()) {}

Database::Database(const std::vector<std::string>& migrations, Cluster& cluster)
    : Database(cluster, ReadMigrations(migrations)) {}

Database::Database(Cluster& cluster, const std::vector<Migration>& migrations) : cluster_(cluster) {
  static std::atomic<int> counter{0};
  const std::string from = TemplateName(migrations);
  EnsureTemplate(cluster_, migrations, from);
  name_ = "d_" + std::to_string(getpid()) + "_" + std::to_string(++counter);
  url_ = cluster_.Url(name_);
  MustExecute(Connect(cluster_.Url("postgres")).get(),
              "CREATE DATABASE " + name_ + " TEMPLATE " + from);
}

Database::~Database() {
  // A test may have stopped its own cluster: then there is nothing to drop.
  const Connection admin(PQconnectdb(cluster_.Url("postgres").c_str()), &PQfinish);
  if (PQstatus(admin.get()) != CONNECTION_OK) return;
  const Result ignored = Send(admin.get(), "DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)");
}

std::string Database::Execute(std::string_view sql) const {
  return MustExecute(Connect(url_).get(), std::string(sql));
}

std::optional<std::string> Database::Refusal(std::string_view sql) const {
  const Connection connection = Connect(url_);
  const Result result = Send(connection.get(), std::string(sql));
  if (Took(result)) return std::nullopt;
  const char* const state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

}  // namespace mj::pg::testing
