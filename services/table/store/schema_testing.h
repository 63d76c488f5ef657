// The schema that the store writes to, in a database of one's own.
#pragma once

#include <string>
#include <vector>

namespace mj::table::store {

inline std::vector<std::string> Migrations() {
  return {"0002_tables.sql",          "0010_table_stakes.sql", "0011_table_lobby.sql",
          "0012_table_proposer.sql",  "0013_table_owners.sql", "0014_table_event_partitions.sql",
          "0015_table_records.sql",   "0016_table_outbox.sql", "0022_table_media.sql",
          "0026_table_operations.sql"};
}

}  // namespace mj::table::store
