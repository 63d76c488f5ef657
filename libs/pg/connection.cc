#include "libs/pg/connection.h"

#include <sys/socket.h>

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

// Options that the URL does not have room for; libpq lets later ones win.
std::string WithOptions(const ConnectionOptions& options) {
  std::string url = options.url;
  url += url.find('?') == std::string::npos ? '?' : '&';
  url += "connect_timeout=" + std::to_string(options.connect_timeout.count());
  // A peer that vanished without a word is noticed by the kernel within half a minute.
  url += "&keepalives_idle=10&keepalives_interval=5&keepalives_count=3&tcp_user_timeout=20000";
  if (!options.application_name.empty()) url += "&application_name=" + options.application_name;
  return url;
}

}  // namespace

struct Connection::Rep {
  Rep(const std::string& url, bool prepare)
      : connection(url), quiet(connection), prepared_statements(prepare) {
    pqxx::nontransaction(connection).exec("SELECT 1");  // connects
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
  pqxx::lazyconnection connection;
  pqxx::quiet_errorhandler quiet;
  int socket = -1;
  bool prepared_statements;
  std::map<std::string, std::string, std::less<>> names;  // of prepared statements, by their text
};

Connection::Connection(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
Connection::~Connection() = default;

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  try {
    auto rep = std::make_unique<Rep>(WithOptions(options), options.prepared_statements);
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
  std::vector<std::optional<std::string>> texts;
  texts.reserve(params.size());
  for (const Param& param : params) {
    // libpq reads text up to its first zero byte: it would silently be another text.
    if (param.text() && param.text()->find('\0') != std::string::npos) {
      return absl::InvalidArgumentError("a text parameter holds a zero byte");
    }
    texts.push_back(param.text());
  }
  try {
    pqxx::nontransaction channel(rep_->connection);
    const auto dynamic = pqxx::prepare::make_dynamic_params(texts);
    return Copy(rep_->prepared_statements ? channel.exec_prepared(rep_->Prepared(sql), dynamic)
                                          : channel.exec_params(std::string(sql), dynamic));
  } catch (...) {
    return CurrentException();
  }
}

void Connection::Cut() { shutdown(rep_->socket, SHUT_RDWR); }

}  // namespace mj::pg
