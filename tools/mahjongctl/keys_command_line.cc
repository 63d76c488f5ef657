#include "tools/mahjongctl/keys_command_line.h"

#include <CLI/CLI.hpp>

namespace mj::mahjongctl {
namespace {

constexpr const char* kKeysExamples =
    R"(dev makes an authority, a certificate for each service, a key that signs tokens, and the JWKS of its
public half: for development; in production certificates come from your own authority. rotate adds a new
signing key to the JWKS and signs with it from now on; drop takes an old one out, when its last token has
expired. token prints one.

Examples:
  mahjongctl keys dev --out keys --host table.example
  mahjongctl keys token --signing-key keys/signing.json --role player --player ann
  mahjongctl keys token --signing-key keys/signing.json --role operator --name eve --minutes 480
  mahjongctl keys rotate --out keys
  mahjongctl keys drop --out keys --kid 20261130T120000Z)";

}  // namespace

void AddKeys(CLI::App& keys, KeysArguments& arguments, const std::string& exit_codes) {
  keys.footer(std::string(kKeysExamples) + "\n\n" + exit_codes);
  keys.add_option("WHAT", arguments.what, "dev, token, rotate or drop")
      ->required()
      ->check(CLI::IsMember({"dev", "token", "rotate", "drop"}));
  keys.add_option("--out", arguments.folder, "The folder of the keys (dev, rotate, drop)");
  keys.add_option("--host", arguments.hosts,
                  "A host as which the services are reached, besides this machine (dev); repeat")
      ->expected(1)
      ->take_all();
  keys.add_option("--days", arguments.days, "How long the certificates are good (dev)")
      ->check(CLI::Range(1, 3'650))
      ->capture_default_str();
  keys.add_option("--signing-key", arguments.signing_key, "The file signing.json (token)")
      ->envname("MJ_CTL_SIGNING_KEY");
  keys.add_option("--role", arguments.role,
                  "backend, player, observer, operator or finance (token)");
  CLI::Option* player =
      keys.add_option("--player", arguments.subject, "Whose token: a player's id");
  keys.add_option("--name", arguments.subject, "Whose token: a backend's or a person's name")
      ->excludes(player);
  keys.add_option("--minutes", arguments.minutes, "How long the token is good (token)")
      ->check(CLI::Range(1, 60 * 24 * 366))
      ->capture_default_str();
  keys.add_option("--issuer", arguments.issuer, "Its iss (token)")->capture_default_str();
  keys.add_option("--audience", arguments.audience, "Its aud (token)")->capture_default_str();
  keys.add_option("--kid", arguments.key_id, "Which key (drop)");
}

}  // namespace mj::mahjongctl
