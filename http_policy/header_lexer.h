// How the list-valued header fields of RFC 9110 are cut into pieces; shared
// by the parsers of this layer. Pure functions, for any thread. Pieces are
// views of the text that was passed in.
#pragma once

#include <string_view>

namespace sidepress::http_policy {

// Cuts the first item off a list and moves `rest` behind the delimiter that
// ends it, to the empty text when there is none (RFC 9110 5.6.1, 5.6.6).
// A delimiter inside a quoted string (5.6.4) ends nothing; a quoted string
// that is never closed lasts to the end of the text.
// Returns: the item without the white space around it; it may be empty.
std::string_view CutItem(std::string_view& rest, char delimiter) noexcept;

// Returns: `text` without the SP and HTAB around it (RFC 9110 5.6.3).
std::string_view TrimWhitespace(std::string_view text) noexcept;

// Returns: the longest token (RFC 9110 5.6.2) that `text` begins with; it may
// be empty.
std::string_view LeadingToken(std::string_view text) noexcept;

// Returns: whether the texts differ at most in the case of ASCII letters.
bool EqualsIgnoringCase(std::string_view left, std::string_view right) noexcept;

}  // namespace sidepress::http_policy
