#include "libs/pg/connection.h"

#include <libpq-fe.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <pqxx/pqxx>
#include <utility>
#include <vector>

#include "libs/base/strings.h"
#include "libs/pg/errors.h"

namespace mj::pg {
namespace {

// The one place where exceptions end. Call it inside a catch block only.
absl::Status CurrentException() {
  try {
    throw;
  } catch (const pqxx::broken_connection& e) {
    return Away(e.what());
  } catch (const pqxx::in_doubt_error& e) {
    return Away(e.what());
  } catch (const pqxx::deadlock_detected& e) {
    return Refused("40P01", e.what());
  } catch (const pqxx::transaction_rollback& e) {  // serialization failures too: no SQLSTATE there
    return Refused("40001", e.what());
  } catch (const pqxx::sql_error& e) {
    return Refused(e.sqlstate().empty() ? "XX000" : e.sqlstate(), e.what());
  } catch (const std::exception& e) {
    return absl::InternalError(e.what());
  }
}

Result Copy(const pqxx::result& from) {
  Result::Cells cells;
  cells.reserve(from.size());
  for (const pqxx::row& row : from) {
    auto& line = cells.emplace_back();
    line.reserve(row.size());
    for (const pqxx::field& field : row) {
      if (field.is_null()) {
        line.emplace_back();
      } else {
        line.emplace_back(std::in_place, field.c_str(), field.size());
      }
    }
  }
  return {std::move(cells), static_cast<std::int64_t>(from.affected_rows())};
}

// Connects when it is first used, and shows libpq's handle of it: libpqxx 6 has no pipeline mode.
class ShownHandle final : public pqxx::connect_lazy {
 public:
  using connect_lazy::connect_lazy;
  handle do_completeconnect(handle connection) override {
    raw = connect_lazy::do_completeconnect(connection);
    return raw;
  }
  PGconn* raw = nullptr;
};

// basic_connection_base with the policy within reach.
class ShownConnection final : public pqxx::connection_base {
 public:
  explicit ShownConnection(const std::string& url) : connection_base(policy_), policy_(url) {
    init();
  }
  ~ShownConnection() noexcept { close(); }
  ShownConnection(const ShownConnection&) = delete;
  ShownConnection& operator=(const ShownConnection&) = delete;

  [[nodiscard]] PGconn* raw() const { return policy_.raw; }
  [[nodiscard]] const std::string& options() const noexcept { return policy_.options(); }

 private:
  ShownHandle policy_;
};

// What a statement answered, owned.
using PgResult = std::unique_ptr<PGresult, decltype(&PQclear)>;

Result Copy(const PGresult* from) {
  const int rows = PQntuples(from);
  const int columns = PQnfields(from);
  Result::Cells cells(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    auto& line = cells[static_cast<std::size_t>(row)];
    line.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
      if (PQgetisnull(from, row, column) != 0) {
        line.emplace_back();
      } else {
        line.emplace_back(std::in_place, PQgetvalue(from, row, column),
                          static_cast<std::size_t>(PQgetlength(from, row, column)));
      }
    }
  }
  const char* const affected = PQcmdTuples(const_cast<PGresult*>(from));
  return {std::move(cells), std::strtoll(affected, nullptr, 10)};
}

bool HoldsZeroByte(std::span<const Param> params) {
  for (const Param& param : params) {
    if (param.text() && param.text()->find('\0') != std::string::npos) return true;
  }
  return false;
}

// libpq reads text up to its first zero byte: it would silently be another text.
absl::Status ZeroByte() { return absl::InvalidArgumentError("a text parameter holds a zero byte"); }

// Sequential scans remain where there is no index; without the joins a plan may read a whole index.
// So there is one good plan, whatever the values: to make another at each call may cost more than to
// run it.
constexpr const char* kPlanByIndex =
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    "SET enable_material = off; SET plan_cache_mode = force_generic_plan";

// "%2F" and so on are what they stand for.
std::string Decoded(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    decoded += escaped ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (escaped) i += 2;
  }
  return decoded;
}

std::string Encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      encoded += c;
    } else {
      encoded.append({'%', kDigits[byte >> 4U], kDigits[byte & 0xfU]});
    }
  }
  return encoded;
}

// The URL's parameter password_file is ours: libpq knows files of many passwords alone, and secrets are
// mounted one a file. Read for each connection, so that a secret may be renewed.
absl::StatusOr<std::string> WithPassword(std::string url) {
  constexpr std::string_view kName = "password_file=";
  std::size_t at = url.find(kName);
  while (at != std::string::npos && url[at - 1] != '?' && url[at - 1] != '&') {
    at = url.find(kName, at + 1);
  }
  if (at == std::string::npos) return url;
  const std::size_t end = std::min(url.find('&', at), url.size());
  const std::string path = Decoded(std::string_view(url).substr(at, end - at).substr(kName.size()));
  std::ifstream file(path, std::ios::binary);
  std::string password;
  // Its first line: an empty one is an empty password, and the server's to judge.
  if (!file.is_open() || (!std::getline(file, password) && !file.eof())) {
    return absl::UnavailableError(
        base::ToAbsl(base::Cat("the password's file cannot be read: ", path)));
  }
  if (!password.empty() && password.back() == '\r') password.pop_back();
  return url.replace(at, end - at, "password=" + Encoded(password));
}

// Options that the URL does not have room for; libpq lets later ones win.
absl::StatusOr<std::string> WithOptions(const ConnectionOptions& options) {
  absl::StatusOr<std::string> with_password = WithPassword(options.url);
  if (!with_password.ok()) return with_password;
  std::string url = *std::move(with_password);
  url += url.find('?') == std::string::npos ? '?' : '&';
  url += "connect_timeout=" + std::to_string(options.connect_timeout.count());
  // A peer that vanished without a word is noticed by the kernel within half a minute.
  url += "&keepalives_idle=10&keepalives_interval=5&keepalives_count=3&tcp_user_timeout=20000";
  if (!options.application_name.empty()) url += "&application_name=" + options.application_name;
  return url;
}

}  // namespace

struct Connection::Rep {
  Rep(const std::string& url, bool prepare, const char* first_command)
      : connection(url), quiet(connection), prepared_statements(prepare) {
    pqxx::nontransaction(connection).exec(first_command);  // connects
    socket = connection.sock();
  }

  // The name under which `sql` is prepared here.
  const std::string& Prepared(std::string_view sql) {
    const auto found = names.find(sql);
    if (found != names.end()) return found->second;
    std::string name = "s" + std::to_string(names.size());
    connection.prepare(name, std::string(sql));
    return names.emplace(std::string(sql), std::move(name)).first->second;
  }

  // Lazy, so that the handler is there before the server can say anything: without it libpqxx
  // writes the server's notices to stderr.
  ShownConnection connection;
  pqxx::quiet_errorhandler quiet;
  int socket = -1;
  bool prepared_statements;
  std::map<std::string, std::string, std::less<>> names;  // of prepared statements, by their text
  std::map<std::string, std::string, std::less<>> piped;  // the same, of pipelines
  std::int64_t last_piped = 0;                            // counts the names tried there
};

Connection::Connection(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
Connection::~Connection() = default;

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  try {
    const bool by_index = options.prepared_statements && options.plans_by_index;
    const absl::StatusOr<std::string> url = WithOptions(options);
    if (!url.ok()) return url.status();
    auto rep = std::make_unique<Rep>(*url, options.prepared_statements,
                                     by_index ? kPlanByIndex : "SELECT 1");
    return std::unique_ptr<Connection>(new Connection(std::move(rep)));
  } catch (...) {
    return CurrentException();
  }
}

absl::Status Connection::Command(const std::string& sql) {
  try {
    // A transaction of libpqxx in name only: BEGIN and COMMIT are ours, to save round trips.
    pqxx::nontransaction channel(rep_->connection);
    channel.exec(sql);
    return absl::OkStatus();
  } catch (...) {
    return CurrentException();
  }
}

absl::StatusOr<Result> Connection::Execute(std::string_view sql, std::span<const Param> params) {
  if (HoldsZeroByte(params)) return ZeroByte();
  std::vector<std::optional<std::string>> texts;
  texts.reserve(params.size());
  for (const Param& param : params) texts.push_back(param.text());
  try {
    pqxx::nontransaction channel(rep_->connection);
    const auto dynamic = pqxx::prepare::make_dynamic_params(texts);
    return Copy(rep_->prepared_statements ? channel.exec_prepared(rep_->Prepared(sql), dynamic)
                                          : channel.exec_params(std::string(sql), dynamic));
  } catch (...) {
    return CurrentException();
  }
}

namespace {

// One round trip in libpq's pipeline mode.
class PipelineRun {
 public:
  PipelineRun(PGconn* connection, bool prepared_statements,
              std::map<std::string, std::string, std::less<>>& names, std::int64_t& last_name)
      : connection_(connection),
        prepared_statements_(prepared_statements),
        names_(names),
        last_name_(last_name) {}

  absl::StatusOr<std::vector<Result>> Run(std::span<const PipelineItem> items) {
    if (PQenterPipelineMode(connection_) != 1) return Lost();
    bool sent = true;
    for (const PipelineItem& item : items) sent = sent && Send(item);
    if (!sent || PQpipelineSync(connection_) != 1) return Lost();
    std::vector<Result> results;
    results.reserve(items.size());
    absl::Status failure;
    for (const Expected& expected : expected_) {
      // Each answer is followed by a null; null at once: there is none, the connection is gone.
      const PgResult answer(PQgetResult(connection_), &PQclear);
      if (answer == nullptr) return Failed(failure);
      const ExecStatusType status = PQresultStatus(answer.get());
      if (status == PGRES_FATAL_ERROR) {
        if (failure.ok()) failure = StatusOf(answer.get());
        if (PQstatus(connection_) == CONNECTION_BAD) return failure;
      } else if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        if (expected.preparation) {
          names_.emplace(std::string(expected.sql), expected.name);
        } else {
          results.push_back(Copy(answer.get()));
        }
      }
      PgResult(PQgetResult(connection_), &PQclear).reset();
    }
    const PgResult sync(PQgetResult(connection_), &PQclear);
    if (PQresultStatus(sync.get()) != PGRES_PIPELINE_SYNC || PQexitPipelineMode(connection_) != 1) {
      return Failed(failure);
    }
    if (!failure.ok()) return failure;
    return results;
  }

 private:
  struct Expected {
    bool preparation = false;
    std::string_view sql;
    std::string name;
  };

  bool Send(const PipelineItem& item) {
    std::vector<const char*> values;
    values.reserve(item.params.size());
    for (const Param& param : item.params) {
      values.push_back(param.text() ? param.text()->c_str() : nullptr);
    }
    const int count = static_cast<int>(values.size());
    if (!prepared_statements_ || !item.prepare) {
      expected_.push_back({false, item.sql, {}});
      return PQsendQueryParams(connection_, std::string(item.sql).c_str(), count, nullptr,
                               values.data(), nullptr, nullptr, 0) == 1;
    }
    const std::string name = NameOf(item.sql);
    if (name.empty()) return false;
    expected_.push_back({false, item.sql, name});
    return PQsendQueryPrepared(connection_, name.c_str(), count, values.data(), nullptr, nullptr,
                               0) == 1;
  }

  // The name under which `sql` is prepared, or will be by the time that it is asked for.
  std::string NameOf(std::string_view sql) {
    if (const auto found = names_.find(sql); found != names_.end()) return found->second;
    for (const Expected& expected : expected_) {
      if (expected.preparation && expected.sql == sql) return expected.name;
    }
    // A name is used once: after a failure nobody knows whether it was taken.
    std::string name = "p" + std::to_string(++last_name_);
    expected_.push_back({true, sql, name});
    if (PQsendPrepare(connection_, name.c_str(), std::string(sql).c_str(), 0, nullptr) != 1) {
      return {};
    }
    return name;
  }

  absl::Status Lost() const { return Away(PQerrorMessage(connection_)); }
  absl::Status Failed(const absl::Status& failure) const { return failure.ok() ? Lost() : failure; }
  static absl::Status StatusOf(const PGresult* answer) {
    const char* const sqlstate = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    // Without a state it is libpq that speaks: the connection broke.
    if (sqlstate == nullptr) return Away(PQresultErrorMessage(answer));
    return Refused(sqlstate, PQresultErrorMessage(answer));
  }

  PGconn* connection_;
  bool prepared_statements_;
  std::map<std::string, std::string, std::less<>>& names_;
  std::vector<Expected> expected_;
  std::int64_t& last_name_;
};

}  // namespace

absl::StatusOr<std::vector<Result>> Connection::Pipeline(std::span<const PipelineItem> items) {
  for (const PipelineItem& item : items) {
    if (HoldsZeroByte(item.params)) return ZeroByte();
  }
  return PipelineRun(rep_->connection.raw(), rep_->prepared_statements, rep_->piped,
                     rep_->last_piped)
      .Run(items);
}

void Connection::Cut() { shutdown(rep_->socket, SHUT_RDWR); }

}  // namespace mj::pg
