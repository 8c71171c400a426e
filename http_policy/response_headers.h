// Values of response headers and variables: entity tags, Cache-Control, Vary,
// the ratio. Pure, for any thread. What is written goes to memory of the
// caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sidepress::http_policy {

// Returns: whether `tag` is a strong entity tag, `"..."` (RFC 9110 8.8.3).
bool IsStrongEntityTag(std::string_view tag) noexcept;

// Returns: whether `tag` is a weak entity tag, `W/"..."` (RFC 9110 8.8.3).
bool IsWeakEntityTag(std::string_view tag) noexcept;

// Returns: the size in bytes of the weak form of `tag`; 0 when it is not an
// entity tag.
std::size_t WeakEntityTagSize(std::string_view tag) noexcept;

// Gives an entity tag its weak form (RFC 9110 8.8.1): a response that is
// compressed on the fly has no bytes of its own to vouch for.
// REQUIRES: `storage` holds WeakEntityTagSize(tag) bytes, apart from `tag`.
// Returns: `tag` itself when it is weak; `W/"..."` in `storage` when it is
// strong; empty when it is not an entity tag (the header is to be removed), or
// when `storage` is too small.
std::string_view WeakenEntityTag(std::string_view tag,
                                 std::span<char> storage) noexcept;

// Returns: whether one line of Cache-Control names the no-transform directive
// (RFC 9111 5.2.2.6), in any case, with or without a meaningless argument.
bool HasNoTransform(std::string_view cache_control_line) noexcept;

// Returns: whether one line of Vary names Accept-Encoding, or "*" (RFC 9110
// 12.5.5), which covers it.
bool VariesByAcceptEncoding(std::string_view vary_line) noexcept;

// Bytes that FormatRatio needs: 20 digits of a 64-bit number and a point.
constexpr std::size_t RatioSize(int decimals) noexcept {
  return 21 + static_cast<std::size_t>(decimals);
}

// Writes `original / compressed`, truncated to `decimals` >= 0 decimals, as
// "3.59"; exact for all 64-bit sizes.
// REQUIRES: `storage` holds RatioSize(decimals) bytes.
// Returns: the text in `storage`; "-" when `compressed` is 0 or `storage` is
// too small.
std::string_view FormatRatio(std::uint64_t original, std::uint64_t compressed,
                             int decimals, std::span<char> storage) noexcept;

}  // namespace sidepress::http_policy
