#include "http_policy/response_headers.h"

#include <algorithm>
#include <charconv>

#include "http_policy/header_lexer.h"

namespace sidepress::http_policy {
namespace {

constexpr std::string_view kWeakPrefix = "W/";

// etagc: visible ASCII except the quote, and every byte above ASCII.
constexpr bool IsEntityTagCharacter(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte > ' ' && byte != '"' && byte != 0x7f;
}

// Long division: the next decimal of remainder / divisor, by addition modulo
// the divisor, since ten times the remainder need not fit into 64 bits.
// REQUIRES: remainder < divisor.
char NextDecimal(std::uint64_t& remainder, std::uint64_t divisor) noexcept {
  const std::uint64_t gap = divisor - remainder;
  std::uint64_t sum = 0;
  char digit = '0';
  for (int addend = 0; addend < 10; ++addend) {
    if (sum >= gap) {
      sum -= gap;
      ++digit;
    } else {
      sum += remainder;
    }
  }
  remainder = sum;
  return digit;
}

}  // namespace

bool IsStrongEntityTag(std::string_view tag) noexcept {
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return false;
  return std::all_of(tag.begin() + 1, tag.end() - 1, IsEntityTagCharacter);
}

bool IsWeakEntityTag(std::string_view tag) noexcept {
  if (!tag.starts_with(kWeakPrefix)) return false;
  tag.remove_prefix(kWeakPrefix.size());
  return IsStrongEntityTag(tag);
}

std::size_t WeakEntityTagSize(std::string_view tag) noexcept {
  if (IsWeakEntityTag(tag)) return tag.size();
  if (IsStrongEntityTag(tag)) return kWeakPrefix.size() + tag.size();
  return 0;
}

std::string_view WeakenEntityTag(std::string_view tag,
                                 std::span<char> storage) noexcept {
  if (IsWeakEntityTag(tag)) return tag;
  const std::size_t size = WeakEntityTagSize(tag);
  if (size == 0 || size > storage.size()) return {};
  char* end = std::copy(kWeakPrefix.begin(), kWeakPrefix.end(), storage.data());
  std::copy(tag.begin(), tag.end(), end);
  return {storage.data(), size};
}

bool HasNoTransform(std::string_view cache_control_line) noexcept {
  while (!cache_control_line.empty()) {
    const std::string_view directive = CutItem(cache_control_line, ',');
    if (EqualsIgnoringCase(LeadingToken(directive), "no-transform")) {
      return true;
    }
  }
  return false;
}

bool VariesByAcceptEncoding(std::string_view vary_line) noexcept {
  while (!vary_line.empty()) {
    const std::string_view name = CutItem(vary_line, ',');
    if (name == "*" || EqualsIgnoringCase(name, "accept-encoding")) return true;
  }
  return false;
}

std::string_view FormatRatio(std::uint64_t original, std::uint64_t compressed,
                             int decimals, std::span<char> storage) noexcept {
  if (compressed == 0 || storage.size() < RatioSize(decimals)) return "-";
  char* const begin = storage.data();
  char* end =
      std::to_chars(begin, begin + storage.size(), original / compressed).ptr;
  std::uint64_t remainder = original % compressed;
  if (decimals > 0) *end++ = '.';
  for (int place = 0; place < decimals; ++place) {
    *end++ = NextDecimal(remainder, compressed);
  }
  return {begin, end};
}

}  // namespace sidepress::http_policy
