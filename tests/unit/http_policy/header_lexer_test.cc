#include "http_policy/header_lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace sidepress::http_policy {
namespace {

std::vector<std::string_view> CutAll(std::string_view text, char delimiter) {
  std::vector<std::string_view> items;
  while (!text.empty()) items.push_back(CutItem(text, delimiter));
  return items;
}

TEST(CutItem, CutsAtDelimitersOutsideOfQuotedStrings) {
  using Items = std::vector<std::string_view>;
  const struct {
    std::string_view text;
    Items expected;
  } kRows[] = {
      {"", {}},
      {"a", {"a"}},
      {"a,b", {"a", "b"}},
      {"a,", {"a"}},
      {",a", {"", "a"}},
      {" \ta\t , b ", {"a", "b"}},
      {" , ", {"", ""}},
      {"\"a,b\",c", {"\"a,b\"", "c"}},
      {"\"a\\\",b\",c", {"\"a\\\",b\"", "c"}},
      {"\"a\\\\\",c", {"\"a\\\\\"", "c"}},
      {"a\\,b", {"a\\", "b"}},
      {"\"a,b", {"\"a,b"}},
      {"\"a\\", {"\"a\\"}},
      {"a;b,c;d", {"a;b", "c;d"}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CutAll(row.text, ','), row.expected) << row.text;
  }
  EXPECT_EQ(CutAll("a;b,c;d", ';'), (Items{"a", "b,c", "d"}));
}

TEST(TrimWhitespace, RemovesSpacesAndTabsOnly) {
  EXPECT_EQ(TrimWhitespace(" \t a b \t "), "a b");
  EXPECT_EQ(TrimWhitespace(" \t "), "");
  EXPECT_EQ(TrimWhitespace("\na\v"), "\na\v");
}

TEST(LeadingToken, EndsBeforeTheFirstSeparator) {
  EXPECT_EQ(LeadingToken("max-age=1"), "max-age");
  EXPECT_EQ(LeadingToken("!#$%&'*+-.^_`|~09azAZ(x"), "!#$%&'*+-.^_`|~09azAZ");
  EXPECT_EQ(LeadingToken("\"a\""), "");
  EXPECT_EQ(LeadingToken("a\x80"), "a");
  EXPECT_EQ(LeadingToken(""), "");
}

TEST(EqualsIgnoringCase, FoldsAsciiLettersOnly) {
  EXPECT_TRUE(EqualsIgnoringCase("ZsTd-09", "zStD-09"));
  EXPECT_TRUE(EqualsIgnoringCase("", ""));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
  EXPECT_FALSE(EqualsIgnoringCase("@", "`"));
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
  EXPECT_FALSE(EqualsIgnoringCase("\xc0", "\xe0"));
}

}  // namespace
}  // namespace sidepress::http_policy
