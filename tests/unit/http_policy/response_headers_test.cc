#include "http_policy/response_headers.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace sidepress::http_policy {
namespace {

TEST(WeakenEntityTag, GivesTheWeakFormOfEveryTag) {
  const struct {
    std::string_view tag;
    std::string_view expected;  // empty: not an entity tag
  } kRows[] = {
      {"\"5f3e1c2a-1a2b\"", "W/\"5f3e1c2a-1a2b\""},
      {"W/\"5f3e1c2a-1a2b\"", "W/\"5f3e1c2a-1a2b\""},
      {"\"\"", "W/\"\""},
      {"W/\"\"", "W/\"\""},
      {"\"caf\xc3\xa9!#~\\,\"", "W/\"caf\xc3\xa9!#~\\,\""},
      {"", ""},
      {"\"", ""},
      {"W/", ""},
      {"W/\"", ""},
      {"abc", ""},
      {"\"abc", ""},
      {"abc\"", ""},
      {"w/\"abc\"", ""},
      {"W\"abc\"", ""},
      {"W/W/\"abc\"", ""},
      {"W/ \"abc\"", ""},
      {" \"abc\"", ""},
      {"\"a b\"", ""},
      {"\"a\"b\"", ""},
      {"\"a\tb\"", ""},
      {"\"a\x7f\"", ""},
      {"\"a\", \"b\"", ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.tag);
    std::vector<char> storage(WeakEntityTagSize(row.tag));
    EXPECT_EQ(storage.size(), row.expected.size());
    EXPECT_EQ(WeakenEntityTag(row.tag, storage), row.expected);
    const bool valid = !row.expected.empty();
    EXPECT_EQ(IsWeakEntityTag(row.tag), valid && row.tag == row.expected);
    EXPECT_EQ(IsStrongEntityTag(row.tag), valid && row.tag != row.expected);
  }
}

TEST(WeakenEntityTag, ReturnsAWeakTagInPlace) {
  constexpr std::string_view kTag = "W/\"a\"";
  EXPECT_EQ(WeakenEntityTag(kTag, {}).data(), kTag.data());
}

TEST(WeakenEntityTag, WritesNothingIntoStorageThatIsTooSmall) {
  std::array<char, 4> storage = {'x', 'x', 'x', 'x'};
  EXPECT_TRUE(WeakenEntityTag("\"a\"", storage).empty());
  EXPECT_EQ(storage, (std::array<char, 4>{'x', 'x', 'x', 'x'}));
}

TEST(HasNoTransform, FindsTheDirectiveAsAWholeToken) {
  constexpr std::string_view kLines[] = {
      "no-transform",
      "No-Transform",
      "public, no-transform",
      "public,\tno-transform\t,max-age=1",
      ",,no-transform",
      "private=\"x, y\", no-transform",
      "private=\"\\\"\", no-transform",
      "no-transform=1",
      "no-transform =\"x\"",
  };
  for (const std::string_view line : kLines) {
    EXPECT_TRUE(HasNoTransform(line)) << line;
  }
}

TEST(HasNoTransform, FindsNothingElse) {
  constexpr std::string_view kLines[] = {
      "",
      ",",
      "public, max-age=31536000",
      "no-transformation",
      "xno-transform",
      "no-transform-x",
      "no transform",
      "private=\"no-transform\"",
      "private=\"x, no-transform, y\"",
      "private=\"\\\", no-transform\"",
      "x=no-transform",
      "\"no-transform\"",
      "private=\"x, no-transform",
  };
  for (const std::string_view line : kLines) {
    EXPECT_FALSE(HasNoTransform(line)) << line;
  }
}

TEST(VariesByAcceptEncoding, FindsTheNameAndTheStar) {
  constexpr std::string_view kLines[] = {
      "Accept-Encoding",
      "accept-encoding",
      "Cookie, Accept-Encoding",
      ",,\tACCEPT-ENCODING\t, Cookie",
      "*",
      "Cookie, *",
  };
  for (const std::string_view line : kLines) {
    EXPECT_TRUE(VariesByAcceptEncoding(line)) << line;
  }
}

TEST(VariesByAcceptEncoding, FindsNothingElse) {
  constexpr std::string_view kLines[] = {
      "",
      ",",
      "Accept",
      "Accept-Language",
      "X-Accept-Encoding",
      "Accept-Encoding-X",
      "Accept Encoding",
      "**",
      "Cookie",
  };
  for (const std::string_view line : kLines) {
    EXPECT_FALSE(VariesByAcceptEncoding(line)) << line;
  }
}

std::string Ratio(std::uint64_t original, std::uint64_t compressed,
                  int decimals) {
  std::vector<char> storage(RatioSize(decimals));
  return std::string(FormatRatio(original, compressed, decimals, storage));
}

TEST(FormatRatio, Truncates) {
  EXPECT_EQ(Ratio(359, 100, 2), "3.59");
  EXPECT_EQ(Ratio(35999, 10000, 2), "3.59");
  EXPECT_EQ(Ratio(1951, 1000, 3), "1.951");
  EXPECT_EQ(Ratio(2, 3, 3), "0.666");
  EXPECT_EQ(Ratio(1, 1000, 2), "0.00");
  EXPECT_EQ(Ratio(0, 14, 2), "0.00");
  EXPECT_EQ(Ratio(1005, 1000, 3), "1.005");
  EXPECT_EQ(Ratio(7, 2, 0), "3");
}

TEST(FormatRatio, IsExactBeyond32Bits) {
  EXPECT_EQ(Ratio(5'000'000'000, 1'000'000'007, 3), "4.999");
  EXPECT_EQ(Ratio(UINT64_MAX, 1, 3), "18446744073709551615.000");
  EXPECT_EQ(Ratio(UINT64_MAX, UINT64_MAX, 2), "1.00");
  EXPECT_EQ(Ratio(UINT64_MAX - 1, UINT64_MAX, 3), "0.999");
  EXPECT_EQ(Ratio(1, UINT64_MAX, 20), "0.00000000000000000005");
}

TEST(FormatRatio, HasADashForNoRatio) {
  EXPECT_EQ(Ratio(100, 0, 2), "-");
  EXPECT_EQ(Ratio(0, 0, 2), "-");
  std::vector<char> small(RatioSize(2) - 1);
  EXPECT_EQ(FormatRatio(1, 1, 2, small), "-");
}

// Against a division in 128 bits, with sizes of every magnitude.
TEST(FormatRatio, AgreesWithWideArithmetic) {
  __extension__ using Wide = unsigned __int128;
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t original = random() >> (random() % 64);
    const std::uint64_t compressed = random() >> (random() % 64);
    if (compressed == 0) continue;
    const Wide scaled = Wide{original} * 1000 / compressed;
    std::string part = std::to_string(static_cast<int>(scaled % 1000));
    part.insert(0, 3 - part.size(), '0');
    const auto whole = static_cast<std::uint64_t>(scaled / 1000);
    ASSERT_EQ(Ratio(original, compressed, 3),
              std::to_string(whole) + "." + part)
        << original << " / " << compressed;
  }
}

}  // namespace
}  // namespace sidepress::http_policy
