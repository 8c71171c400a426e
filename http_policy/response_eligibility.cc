#include "http_policy/response_eligibility.h"

#include <algorithm>
#include <iterator>

namespace sidepress::http_policy {
namespace {

// The index is a Reason.
constexpr std::string_view kReasonNames[] = {
    "-",
    "off",
    "not_main_request",
    "upgraded",
    "status",
    "already_encoded",
    "range",
    "empty",
    "type",
    "too_short",
    "too_long",
    "no_transform",
    "bypass",
    "proxied",
    "no_accept_encoding",
    "not_acceptable",
    "gzip",
    "memory",
    "not_smaller",
};
static_assert(std::size(kReasonNames) == kReasonCount);
static_assert(static_cast<std::size_t>(Reason::kNotSmaller) + 1 ==
              kReasonCount);

bool IsEligibleStatus(int status, std::span<const int> eligible) noexcept {
  return !IsRefusedStatus(status) &&
         std::find(eligible.begin(), eligible.end(), status) != eligible.end();
}

}  // namespace

std::string_view ReasonName(Reason reason) noexcept {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

bool IsRefusedStatus(int status) noexcept {
  return status < 200 || status == 204 || status == 205 || status == 206 ||
         status == 304;
}

Reason CheckEligibility(const ResponseFacts& facts,
                        const EligibilityRules& rules) noexcept {
  const std::int64_t length = facts.content_length;
  const bool length_known = length >= 0;

  if (!rules.enabled) return Reason::kOff;
  if (!facts.main_request) return Reason::kNotMainRequest;
  if (facts.upgraded) return Reason::kUpgraded;
  if (!IsEligibleStatus(facts.status, rules.statuses)) return Reason::kStatus;
  if (facts.has_content_encoding) return Reason::kAlreadyEncoded;
  if (facts.has_content_range) return Reason::kRange;
  if (length == 0) return Reason::kEmpty;
  if (!facts.type_matches) return Reason::kType;
  if (length_known && length < rules.min_length) return Reason::kTooShort;
  if (rules.max_length >= 0 && length > rules.max_length) {
    return Reason::kTooLong;
  }
  if (rules.honour_no_transform && facts.no_transform) {
    return Reason::kNoTransform;
  }
  if (facts.bypass) return Reason::kBypass;
  return Reason::kCompressed;
}

}  // namespace sidepress::http_policy
