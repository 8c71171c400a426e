#include "http_policy/content_kind.h"

#include <algorithm>
#include <iterator>

#include "http_policy/header_lexer.h"

namespace sidepress::http_policy {
namespace {

// Registered by RFC 8081 and before it, and the names in use earlier.
constexpr std::string_view kFontTypes[] = {
    "font/ttf",
    "font/otf",
    "font/sfnt",
    "font/collection",
    "application/font-sfnt",
    "application/vnd.ms-fontobject",
    "application/x-font-otf",
    "application/x-font-opentype",
    "application/x-font-ttf",
    "application/x-font-truetype",
};

}  // namespace

ContentKind ClassifyContentType(std::string_view content_type) noexcept {
  const std::string_view media_type = CutItem(content_type, ';');
  const auto is = [media_type](std::string_view type) noexcept {
    return EqualsIgnoringCase(media_type, type);
  };
  if (is("text/event-stream")) return ContentKind::kEventStream;
  return std::any_of(std::begin(kFontTypes), std::end(kFontTypes), is)
             ? ContentKind::kFont
             : ContentKind::kGeneric;
}

}  // namespace sidepress::http_policy
