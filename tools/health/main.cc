#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/health/watch.h"

int main(int argc, char** argv) {
  CLI::App app("Waits until each server says SERVING.", "mj-health");
  std::int64_t wait_ms = 5000;
  std::vector<std::string> addresses;
  app.add_option("--wait-ms", wait_ms, "How long to wait for all of them")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{3'600'000}));
  std::string authority;
  app.add_option("--ca", authority, "PEM file: whose servers are trusted; without: plaintext");
  app.add_option("ADDRESS", addresses, "host:port of a gRPC server")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  const auto credentials = mj::health::CredentialsFor(authority);
  if (credentials == nullptr) {
    std::cerr << "mj-health: " << authority << " cannot be read\n";
    return 2;
  }
  const auto deadline = std::chrono::system_clock::now() + std::chrono::milliseconds(wait_ms);
  bool all = true;
  for (const std::string& address : addresses) {
    const mj::health::Health health = mj::health::WaitUntilServing(address, deadline, credentials);
    if (health == mj::health::Health::kServing) continue;
    all = false;
    std::cerr << address << ": "
              << (health == mj::health::Health::kNoAnswer ? "no answer" : "not serving") << '\n';
  }
  return all ? 0 : 1;
}
