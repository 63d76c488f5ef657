// Who pays, in the forms that the games share.
#pragma once

#include "libs/rules/variant.h"

namespace mj::rules {

// One share from each of the three others.
void OweByAll(Transfers& transfers, Seat to, Units share, RuleId rule);

// What the three kinds of kong are worth, in units from each payer.
struct KongPrices {
  Units discard = 0;    // from the discarder alone
  Units added = 0;      // from each of the three
  Units concealed = 0;  // from each of the three
};

// Every kong of the round; where one seat pays for all (Kong::paid_by), it pays three shares.
void OweKongs(const FinishedRound& round, const KongPrices& prices, RuleId rule,
              Transfers& transfers);

// The deal stays when the dealer is among the winners or the wall was exhausted, else it passes to
// the dealer's next seat (RULEBOOK 1). The round wind is left as it is.
NextDeal StayOrPass(const FinishedRound& round);

}  // namespace mj::rules
