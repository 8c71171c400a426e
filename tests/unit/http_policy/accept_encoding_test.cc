#include "http_policy/accept_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sidepress::http_policy {
namespace {

using Weights = std::array<int, kCodingCount>;  // the index is a Coding

Weights WeightsOf(const AcceptedCodings& accepted) {
  return {accepted.Weight(Coding::kIdentity), accepted.Weight(Coding::kGzip),
          accepted.Weight(Coding::kBrotli), accepted.Weight(Coding::kZstd)};
}

AcceptedCodings Parse(const std::vector<std::string_view>& lines) {
  AcceptedCodings accepted;
  for (const std::string_view line : lines) accepted.AddLine(line);
  return accepted;
}

int BrotliWeight(std::string_view line) {
  return Parse({line}).Weight(Coding::kBrotli);
}

TEST(CodingName, IsTheTokenOfTheRegistry) {
  EXPECT_EQ(CodingName(Coding::kIdentity), "identity");
  EXPECT_EQ(CodingName(Coding::kGzip), "gzip");
  EXPECT_EQ(CodingName(Coding::kBrotli), "br");
  EXPECT_EQ(CodingName(Coding::kZstd), "zstd");
}

TEST(AcceptedCodings, NothingIsAcceptedWithoutALine) {
  EXPECT_EQ(WeightsOf(Parse({})), (Weights{0, 0, 0, 0}));
}

TEST(AcceptedCodings, ReadsCase10OfTheField) {
  const struct {
    std::vector<std::string_view> lines;
    Weights expected;
  } kRows[] = {
      {{"zstd;q=0"}, {0, 0, 0, 0}},
      {{"zstdx"}, {0, 0, 0, 0}},
      {{"br;Q=0"}, {0, 0, 0, 0}},
      {{"br;q=x"}, {0, 0, 0, 0}},
      {{"br;level=1;q=0"}, {0, 0, 0, 0}},
      {{"\tbr"}, {0, 0, 1000, 0}},
      {{"gzip;x=\"a, br\""}, {0, 1000, 0, 0}},
      {{"*"}, {0, 0, 0, 0}},
      {{"*;q=0"}, {0, 0, 0, 0}},
      {{""}, {0, 0, 0, 0}},
      {{"gzip;q=0.5", "br, zstd;q=0.1"}, {0, 500, 1000, 100}},
      {{"gzip;q=1, br;q=0.5, zstd;q=0.1"}, {0, 1000, 500, 100}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(WeightsOf(Parse(row.lines)), row.expected)
        << testing::PrintToString(row.lines);
  }
}

TEST(AcceptedCodings, ReadsLists) {
  const struct {
    std::string_view line;
    Weights expected;
  } kRows[] = {
      {"gzip, deflate, br, zstd", {0, 1000, 1000, 1000}},
      {"GZIP,Br,zStD,Identity", {1000, 1000, 1000, 1000}},
      {"x-gzip;q=0.7", {0, 700, 0, 0}},
      {"identity;q=0.5, br", {500, 0, 1000, 0}},
      {",, br ,, ,zstd,", {0, 0, 1000, 1000}},
      {" \t,\t ", {0, 0, 0, 0}},
      {"\t br \t, \tzstd\t ", {0, 0, 1000, 1000}},
      {"*;q=0, br", {0, 0, 1000, 0}},
      {"*, br;q=0", {0, 0, 0, 0}},
      {"gzip;x=y, zstd", {0, 1000, 0, 1000}},
      {"compress;q=x, br", {0, 0, 1000, 0}},
      {"deflate;x=\"a, br\", zstd", {0, 0, 0, 1000}},
      {"deflate;x=\"\\\", br\", zstd", {0, 0, 0, 1000}},
      {"deflate;x=\"\\\\\", br", {0, 0, 1000, 0}},
      {"deflate;x=\"a, br, zstd", {0, 0, 0, 0}},
      {"gzip;x=\"a\\", {0, 1000, 0, 0}},
      {"deflate;x=\\, br", {0, 0, 1000, 0}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(WeightsOf(Parse({row.line})), row.expected) << row.line;
  }
}

TEST(AcceptedCodings, ReadsTheWeightOfAMember) {
  using namespace std::string_view_literals;
  const struct {
    std::string_view line;
    int expected;
  } kRows[] = {
      {"br", 1000},
      {"br;", 1000},
      {"br; ;", 1000},
      {"br;q=1", 1000},
      {"br ; q=0.5", 500},
      {"br\t;\tQ=0.25\t", 250},
      {"br;level=1", 1000},
      {"br;level=1;q=0.5", 500},
      {"br;q=0.5;level=1", 500},
      {"br;;q=0.5;", 500},
      {"br;x=\"q=0;q=0\";q=0.5", 500},
      {"br;qq=0", 1000},
      {"br;xq=0", 1000},
      {"br;q-x=0", 1000},
      {"br;q", 0},
      {"br;q=", 0},
      {"br;q=\"0.5\"", 0},
      {"br;q =0.5", 0},
      {"br;q= 0.5", 0},
      {"br;q= 1x", 0},
      {"br;q:0.5", 0},
      {"br;q=-1", 0},
      {"br;q=+1", 0},
      {"br;q=0.5;q=0.5", 0},
      {"br;q=0;q=1", 0},
      {"br;q=0.5 x", 0},
      {"br q=0.5", 0},
      {"br=1", 0},
      {"\"br\"", 0},
      {"b r", 0},
      {"xbr", 0},
      {"x-br", 0},
      {"br-x", 0},
      {"br/1", 0},
      {"br\0"sv, 0},
      {"\vbr", 0},
      {"\xe2\x80\x8b"
       "br",
       0},
      {";br", 0},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(BrotliWeight(row.line), row.expected) << row.line;
  }
}

TEST(AcceptedCodings, ARefusalAnywhereOutweighsEveryOtherMention) {
  EXPECT_EQ(BrotliWeight("br;q=0.2, br;q=0.8, br;q=0.4"), 800);
  EXPECT_EQ(BrotliWeight("br;q=0, br"), 0);
  EXPECT_EQ(BrotliWeight("br, br;q=0"), 0);
  EXPECT_EQ(BrotliWeight("br, br;q=x, br"), 0);
  EXPECT_EQ(Parse({"br;q=0", "br"}).Weight(Coding::kBrotli), 0);
  EXPECT_EQ(Parse({"x-gzip;q=0", "gzip"}).Weight(Coding::kGzip), 0);
}

TEST(AcceptedCodings, AQuotedStringEndsWithItsLine) {
  EXPECT_EQ(Parse({"gzip;x=\"a", "br"}).Weight(Coding::kBrotli), 1000);
}

// The whole language of RFC 9110 12.4.2, with the weight of each text.
std::map<std::string, int> EveryWeight() {
  std::map<std::string, int> weights = {
      {"0", 0},      {"0.", 0},      {"1", 1000},     {"1.", 1000},
      {"1.0", 1000}, {"1.00", 1000}, {"1.000", 1000},
  };
  for (int number = 0; number < 1000; ++number) {
    const std::string digits = std::to_string(1000 + number).substr(1);
    weights["0." + digits] = number;
    if (number % 10 == 0) weights["0." + digits.substr(0, 2)] = number;
    if (number % 100 == 0) weights["0." + digits.substr(0, 1)] = number;
  }
  return weights;
}

TEST(AcceptedCodings, KnowsAnEmptyLineFromNone) {
  EXPECT_FALSE(AcceptedCodings().present());
  EXPECT_TRUE(Parse({""}).present());
  EXPECT_TRUE(Parse({"br"}).present());
}

TEST(AcceptedCodings, ReadsEveryWeight) {
  for (const auto& [text, weight] : EveryWeight()) {
    ASSERT_EQ(BrotliWeight("br;q=" + text), weight) << text;
  }
}

// Every text of up to six characters that matter.
TEST(AcceptedCodings, ReadsNothingElseAsAWeight) {
  constexpr std::string_view kAlphabet = "019.x";
  const std::map<std::string, int> weights = EveryWeight();
  std::vector<std::string> texts = {""};
  for (std::size_t at = 0; at < texts.size(); ++at) {
    const std::string text = texts[at];
    const auto known = weights.find(text);
    const int expected = known == weights.end() ? 0 : known->second;
    ASSERT_EQ(BrotliWeight("br;q=" + text), expected) << text;
    if (text.size() == 6) continue;
    for (const char c : kAlphabet) texts.push_back(text + c);
  }
}

// Lists put together from parts whose meaning is known.
class RandomList {
 public:
  explicit RandomList(unsigned seed) : random_(seed) {}

  std::vector<std::string> Lines() {
    std::vector<std::string> lines(1 + Pick(3));
    for (std::string& line : lines) {
      for (std::size_t members = Pick(5); members > 0; --members) {
        line += Member();
        line += kSeparators[Pick(std::size(kSeparators))];
      }
    }
    return lines;
  }

  Weights Expected() const {
    Weights expected{};
    for (std::size_t at = 0; at < kCodingCount; ++at) {
      const std::vector<int>& all = mentions_[at];
      if (all.empty() || std::find(all.begin(), all.end(), 0) != all.end()) {
        continue;
      }
      expected[at] = *std::max_element(all.begin(), all.end());
    }
    return expected;
  }

 private:
  struct Part {
    std::string_view text;
    int value;
  };
  static constexpr int kNone = -1;
  static constexpr Part kTokens[] = {
      {"identity", 0}, {"gzip", 1},  {"X-GZip", 1}, {"br", 2},
      {"\tBR", 2},     {"zstd", 3},  {" ZSTD ", 3}, {"*", kNone},
      {"", kNone},     {"z", kNone}, {"brx", kNone}};
  static constexpr Part kParameters[] = {{"", 1000},
                                         {" ;", 1000},
                                         {";q=1.000", 1000},
                                         {"; Q=0.5", 500},
                                         {";q=0.125;x=1", 125},
                                         {";x=\"a\\\", zstd;q=0,\";q=0.3", 300},
                                         {";level=9", 1000},
                                         {";q=0.0", 0},
                                         {";q=0.1234", 0},
                                         {";q=.5", 0}};
  static constexpr std::string_view kSeparators[] = {",", " ,\t", ",,", ", ,"};

  std::size_t Pick(std::size_t count) { return random_() % count; }

  std::string Member() {
    const Part& token = kTokens[Pick(std::size(kTokens))];
    const Part& parameters = kParameters[Pick(std::size(kParameters))];
    if (token.value != kNone) {
      mentions_[static_cast<std::size_t>(token.value)].push_back(
          parameters.value);
    }
    return std::string(token.text) + std::string(parameters.text);
  }

  std::mt19937 random_;
  std::array<std::vector<int>, kCodingCount> mentions_;
};

TEST(AcceptedCodings, ReadsRandomListsAsTheyWereMeant) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomList list(seed);
    const std::vector<std::string> lines = list.Lines();
    const AcceptedCodings accepted = Parse({lines.begin(), lines.end()});
    ASSERT_EQ(WeightsOf(accepted), list.Expected())
        << "seed " << seed << ": " << testing::PrintToString(lines);
  }
}

}  // namespace
}  // namespace sidepress::http_policy
