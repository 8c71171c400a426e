#include "http_policy/header_lexer.h"

#include <algorithm>
#include <cstddef>

namespace sidepress::http_policy {
namespace {

constexpr bool IsWhitespace(char c) noexcept { return c == ' ' || c == '\t'; }

constexpr char LowerCase(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool IsTokenCharacter(char c) noexcept {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const char lower = LowerCase(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
         kMarks.find(c) != kMarks.npos;
}

std::size_t FindUnquoted(std::string_view text, char wanted) noexcept {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      quoted = !quoted;
    } else if (quoted && text[at] == '\\') {
      ++at;  // the escaped character means nothing
    } else if (!quoted && text[at] == wanted) {
      return at;
    }
  }
  return text.size();
}

}  // namespace

std::string_view CutItem(std::string_view& rest, char delimiter) noexcept {
  const std::size_t end = FindUnquoted(rest, delimiter);
  const std::string_view item(rest.data(), end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return TrimWhitespace(item);
}

std::string_view TrimWhitespace(std::string_view text) noexcept {
  while (!text.empty() && IsWhitespace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsWhitespace(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view LeadingToken(std::string_view text) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), IsTokenCharacter);
  return {text.begin(), end};
}

bool EqualsIgnoringCase(std::string_view left,
                        std::string_view right) noexcept {
  return std::equal(
      left.begin(), left.end(), right.begin(), right.end(),
      [](char a, char b) noexcept { return LowerCase(a) == LowerCase(b); });
}

}  // namespace sidepress::http_policy
