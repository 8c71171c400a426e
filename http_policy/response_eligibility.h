// Whether a response may be compressed at all, and the reason if not. Pure,
// for any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sidepress::http_policy {

// Why a response was not compressed: the values of `$compress_reason`.
enum class Reason : unsigned char {
  kCompressed = 0,    // it was
  kOff,               // not switched on here
  kNotMainRequest,    // a subrequest: its parent is compressed as a whole
  kUpgraded,          // the connection speaks another protocol from now on
  kStatus,            // `compress_statuses`, or never compressed
  kAlreadyEncoded,    // it has a Content-Encoding
  kRange,             // it has a Content-Range
  kEmpty,             // a body of no bytes
  kType,              // `brotli_types` and the like
  kTooShort,          // `brotli_min_length` and the like
  kTooLong,           // `brotli_max_length` and the like
  kNoTransform,       // `Cache-Control: no-transform` is honoured
  kBypass,            // `brotli_bypass` and the like
  kProxied,           // `compress_proxied`
  kNoAcceptEncoding,  // the request has no such header
  kNotAcceptable,     // the client takes no coding that is offered
  kGzip,              // the client likes gzip better, and gzip serves it
  kMemory,            // the budget is spent
  kNotSmaller,        // compression gained nothing
};

inline constexpr std::size_t kReasonCount = 19;

// Returns: the value of `$compress_reason`, such as "too_short"; "-" for
// kCompressed.
std::string_view ReasonName(Reason reason) noexcept;

// What the decision needs to know about a response.
struct ResponseFacts {
  bool main_request = true;
  int status = 200;
  bool has_content_encoding = false;
  bool has_content_range = false;
  bool upgraded = false;
  std::int64_t content_length = -1;  // bytes; -1: unknown
  bool type_matches = false;
  bool no_transform = false;
  bool bypass = false;
};

// `compress_statuses` when the configuration does not say.
inline constexpr int kDefaultStatuses[] = {200, 403, 404};

// What the configuration says.
struct EligibilityRules {
  bool enabled = false;
  std::int64_t min_length = 0;   // bytes
  std::int64_t max_length = -1;  // bytes; -1: no limit
  bool honour_no_transform = false;
  std::span<const int> statuses = kDefaultStatuses;
};

// Returns: whether responses of this status are never compressed, so that
// `compress_statuses` must refuse it: below 200 they are not final (RFC 9110
// 15.2), 204, 205 and 304 have no body (15.3.5, 15.3.6, 15.4.5), 206 is part
// of one (15.3.7).
bool IsRefusedStatus(int status) noexcept;

// Returns: kCompressed when the response may be compressed, else the first
// reason against it in the order of Reason, kOff to kBypass. Limits of length
// are inclusive, and apply when the length is known.
Reason CheckEligibility(const ResponseFacts& facts,
                        const EligibilityRules& rules) noexcept;

}  // namespace sidepress::http_policy
