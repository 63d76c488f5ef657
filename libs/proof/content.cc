#include "libs/proof/content.h"

#include <algorithm>
#include <tuple>

namespace mj::proof {
namespace {

class Content {
 public:
  explicit Content(std::string_view rpc) { Text(rpc).Number(kContentVersion); }

  Content& Text(std::string_view text) {
    AppendBigEndian(text.size());
    bytes_.append(text);
    return *this;
  }
  Content& Number(std::int64_t number) {
    AppendBigEndian(sizeof number);
    AppendBigEndian(static_cast<std::uint64_t>(number));
    return *this;
  }
  Content& Number(rules::Seat seat) { return Number(std::int64_t{rules::IndexOf(seat)}); }

  audit::Digest Hash() const { return audit::Sha256(bytes_); }

 private:
  void AppendBigEndian(std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes_.push_back(static_cast<char>((value >> shift) & 0xff));
    }
  }

  std::string bytes_;
};

}  // namespace

audit::Digest SettlementContent(const record::RoundRecord& record,
                                const std::vector<record::SeatTransfer>& transfers) {
  std::vector<record::SeatTransfer> lines = transfers;
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return std::tie(a.from, a.to, a.rule) < std::tie(b.from, b.to, b.rule);
  });
  Content content("SettleRound");
  content.Text(record.table_id)
      .Text(record.variant)
      .Text(record.rulebook_version)
      .Number(record.base)
      .Number(record.currency == record::Currency::kCoin ? 0 : 1);
  for (const std::string& player : record.players) content.Text(player);
  content.Number(static_cast<std::int64_t>(lines.size()));
  for (const record::SeatTransfer& line : lines) {
    content.Number(line.from).Number(line.to).Text(line.rule).Number(line.coins);
  }
  return content.Hash();
}

audit::Digest PenaltyContent(rules::Seat escaper, std::string_view reason) {
  return Content("ApplyPenalty").Number(escaper).Text(reason).Hash();
}

audit::Digest VoidContent(std::string_view reason, std::string_view requested_by) {
  return Content("VoidRound").Text(reason).Text(requested_by).Hash();
}

}  // namespace mj::proof
