#include "http_policy/content_kind.h"

#include <gtest/gtest.h>

namespace sidepress::http_policy {
namespace {

TEST(ClassifyContentType, KnowsFontsThatAreNotCompressed) {
  constexpr std::string_view kFonts[] = {
      "font/ttf",
      "font/otf",
      "font/sfnt",
      "font/collection",
      "application/vnd.ms-fontobject",
      "application/x-font-ttf",
      "application/x-font-opentype",
      "application/x-font-otf",
      "application/font-sfnt",
      "application/x-font-truetype",
      "Font/TTF",
      "font/ttf; charset=utf-8",
      " font/ttf\t;",
      "font/ttf;x=\"a;b\"",
  };
  EXPECT_EQ(ClassifyContentType("Text/Event-Stream; charset=utf-8"),
            ContentKind::kEventStream);
  for (const std::string_view type : kFonts) {
    EXPECT_EQ(ClassifyContentType(type), ContentKind::kFont) << type;
  }
}

TEST(ClassifyContentType, TakesEverythingElseAsGeneric) {
  constexpr std::string_view kOthers[] = {
      "",          ";",          "text/html",    "font/woff",
      "font/ttfx", "xfont/ttf",  "font/woff2",   "application/font-woff",
      "font",      "font / ttf", "x; font/ttf",  "text/html;font/ttf",
      "font/",     "font/ttf,x", "\"font/ttf\"", "image/svg+xml",
  };
  for (const std::string_view type : kOthers) {
    EXPECT_EQ(ClassifyContentType(type), ContentKind::kGeneric) << type;
  }
}

}  // namespace
}  // namespace sidepress::http_policy
