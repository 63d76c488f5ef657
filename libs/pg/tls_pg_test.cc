// TLS to a real PostgreSQL, and passwords from files, as a deployment uses them: by the URL alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "libs/base/clock.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/pg/pool.h"
#include "libs/pg/process_testing.h"

namespace mj::pg {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kCertificates = "libs/pg/testdata/tls/";

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A port of this machine that is free now.
int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  const bool bound =
      fd >= 0 && bind(fd, address, size) == 0 && getsockname(fd, address, &size) == 0;
  close(fd);
  if (!bound) testing::Die("no port is free");
  return ntohs(at.sin_port);
}

// A server that takes TLS alone, over TCP, with passwords.
class TlsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new Server(); }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }

  // As role "app", whose password has what has to be escaped in a URL.
  static constexpr const char* kPassword = "p&=%? ü/:@";
  static std::string Url(const std::string& query) {
    return base::Cat("postgresql://app@db.test:", server_->port, "/postgres?hostaddr=127.0.0.1",
                     query);
  }
  std::string PasswordFile(const std::string& content) {
    const std::string path = server_->folder + "/password" + std::to_string(++files_);
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  absl::StatusOr<std::string> Ask(const std::string& url, const char* sql = "SELECT 1::text") {
    Pool pool({.url = url, .application_name = "test"}, clock_);
    const auto result =
        pool.Execute({.deadline = clock_.Monotonic() + std::chrono::seconds(20)}, sql);
    if (!result.ok()) return result.status();
    MJ_ASSIGN_OR_RETURN(const auto row, result->One<std::string>());
    return std::get<0>(row);
  }
  std::string WithPassword() { return "&password_file=" + PasswordFile(kPassword); }
  static std::string Root(const std::string& name) {
    return "&sslrootcert=" + fs::absolute(kCertificates + name).string();
  }

  struct Server {
    Server() {
      std::string pattern = "/tmp/mj-pg-tls-XXXXXX";
      folder = mkdtemp(pattern.data());
      chmod(folder.c_str(), 0711);
      data = folder + "/data";
      port = std::to_string(FreePort());
      testing::MakeServerFolder(data);
      testing::RunToEnd(testing::InitdbCommand(data), "/dev/null");
      for (const char* name : {"server.crt", "server.key"})
        Put(name, ContentOf(kCertificates + name));
      Put("pg_hba.conf", "local all all trust\nhostssl all all all scram-sha-256\n");
      auto command = testing::PostgresCommand(data, data);
      for (const std::string& setting :
           {std::string("listen_addresses=127.0.0.1"), "port=" + port, std::string("ssl=on"),
            std::string("password_encryption=scram-sha-256")}) {
        command.insert(command.end(), {"-c", setting});
      }
      postmaster = testing::StartTied(command, folder + "/log");
      base::SystemClock clock;
      const base::MonotonicTime deadline = clock.Monotonic() + std::chrono::seconds(60);
      Pool owner({.url = testing::SocketUrl(data, "postgres") + "&port=" + port}, clock);
      absl::Status made = absl::UnavailableError("not yet");
      while (absl::IsUnavailable(made) && clock.Monotonic() < deadline) {
        made = owner.Execute({.deadline = deadline}, "CREATE ROLE app LOGIN PASSWORD 'p&=%? ü/:@'")
                   .status();
      }
      if (!made.ok()) testing::Die(std::string(base::ToStd(made.message())));
    }
    ~Server() {
      kill(postmaster, SIGINT);
      waitpid(postmaster, nullptr, 0);
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
    // As the server's own user, who alone may read it.
    void Put(const std::string& name, const std::string& content) const {
      testing::RunToEnd(
          {"/bin/sh", "-c", "umask 077; printf '%s\n' \"$0\" >\"$1\"", content, data + "/" + name},
          "/dev/null");
    }
    std::string folder;
    std::string data;
    std::string port;
    pid_t postmaster = -1;
  };
  static Server* server_;

  base::SystemClock clock_;
  int files_ = 0;
};

TlsTest::Server* TlsTest::server_ = nullptr;

TEST_F(TlsTest, AServerThatIsVerifiedIsTalkedToOverTls) {
  const auto over = Ask(Url("&sslmode=verify-full" + Root("root.crt") + WithPassword()),
                        "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl");
  ASSERT_TRUE(over.ok()) << over.status();
  EXPECT_THAT(*over, ::testing::StartsWith("TLSv1."));
  EXPECT_GE(*over, "TLSv1.2");
}

TEST_F(TlsTest, OneOfAnotherAuthorityIsNot) {
  const auto refused = Ask(Url("&sslmode=verify-full" + Root("other.crt") + WithPassword()));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(base::ToStd(refused.status().message()), HasSubstr("certificate verify failed"));
}

TEST_F(TlsTest, NorOneOfAnotherName) {
  std::string url = Url("&sslmode=verify-full" + Root("root.crt") + WithPassword());
  url.replace(url.find("db.test"), 7, "db.elsewhere");
  const auto refused = Ask(url);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(base::ToStd(refused.status().message()), HasSubstr("db.elsewhere"));
}

TEST_F(TlsTest, PlaintextIsRefusedByTheServer) {
  const auto refused = Ask(Url("&sslmode=disable" + WithPassword()));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(base::ToStd(refused.status().message()), HasSubstr("pg_hba.conf"));
}

TEST_F(TlsTest, APasswordComesFromItsFileAndMayEndWithALine) {
  const std::string verified = "&sslmode=verify-full" + Root("root.crt");
  for (const std::string end : {"", "\n", "\r\n", "\nwhat follows is not read\n"}) {
    const auto asked = Ask(Url(verified + "&password_file=" + PasswordFile(kPassword + end)));
    EXPECT_TRUE(asked.ok()) << asked.status();
  }
  EXPECT_FALSE(Ask(Url(verified)).ok()) << "without one";
  EXPECT_FALSE(Ask(Url(verified + "&password_file=" + PasswordFile("wrong"))).ok());
}

// A secret that is renewed is read anew with each connection.
TEST_F(TlsTest, AFileThatIsNotThereIsSaidSoAndLookedForAgain) {
  const std::string path = server_->folder + "/later";
  Pool pool({.url = Url("&sslmode=verify-full" + Root("root.crt") + "&password_file=" + path)},
            clock_);
  const auto options = [this] {
    return RunOptions{.deadline = clock_.Monotonic() + std::chrono::seconds(20)};
  };
  const auto missing = pool.Execute(options(), "SELECT 1");
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(absl::IsUnavailable(missing.status())) << missing.status();
  EXPECT_THAT(base::ToStd(missing.status().message()), HasSubstr(path));
  std::ofstream(path) << kPassword;
  EXPECT_TRUE(pool.Execute(options(), "SELECT 1").ok());
}

TEST_F(TlsTest, NoFailureSaysThePassword) {
  const std::string secret = "not-this-one-either";
  for (const std::string& query :
       {"&sslmode=verify-full" + Root("root.crt") + "&password_file=" + PasswordFile(secret),
        "&sslmode=nonsense&password_file=" + PasswordFile(secret),
        "&nonsense=1&password_file=" + PasswordFile(secret)}) {
    const auto refused = Ask(Url(query));
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(base::ToStd(refused.status().message()), ::testing::Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace mj::pg
