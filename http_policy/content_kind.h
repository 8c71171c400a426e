// What kind of content a body is, for encoders that have a mode for it. Pure,
// for any thread.
#pragma once

#include <string_view>

namespace sidepress::http_policy {

enum class ContentKind : unsigned char {
  kGeneric,
  kFont,         // not compressed in itself, unlike font/woff and font/woff2
  kEventStream,  // its reader waits for every event
};

// Returns: the kind that a Content-Type tells of. The media type matches in
// any case, its parameters are ignored (RFC 9110 8.3.1).
ContentKind ClassifyContentType(std::string_view content_type) noexcept;

}  // namespace sidepress::http_policy
