#include "http_policy/coding_election.h"

namespace sidepress::http_policy {

Coding ElectCoding(const AcceptedCodings& accepted, CodingSet offered,
                   std::span<const Coding> preference) noexcept {
  Coding elected = Coding::kIdentity;
  int highest = 0;
  offered.Remove(Coding::kIdentity);  // no candidate: it wins by default
  const auto consider = [&](Coding candidate) noexcept {
    if (!offered.Has(candidate)) return;
    if (accepted.Weight(candidate) <= highest) return;
    elected = candidate;
    highest = accepted.Weight(candidate);
  };
  for (const Coding candidate : preference) consider(candidate);
  for (const Coding candidate : kDefaultPreference) consider(candidate);
  return elected;
}

}  // namespace sidepress::http_policy
