#include "http_policy/response_eligibility.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sidepress::http_policy {
namespace {

constexpr ResponseFacts kPlainPage = {.content_length = 1000,
                                      .type_matches = true};
constexpr EligibilityRules kRules = {.enabled = true, .min_length = 20};

TEST(ReasonName, NamesEachReasonDifferently) {
  std::set<std::string_view> names;
  for (std::size_t at = 0; at < kReasonCount; ++at) {
    names.insert(ReasonName(static_cast<Reason>(at)));
  }
  EXPECT_EQ(names.size(), kReasonCount);
}

TEST(ReasonName, NamesWhatTheDocumentationNames) {
  const struct {
    Reason reason;
    std::string_view expected;
  } kRows[] = {
      {Reason::kCompressed, "-"},
      {Reason::kOff, "off"},
      {Reason::kNotMainRequest, "not_main_request"},
      {Reason::kUpgraded, "upgraded"},
      {Reason::kStatus, "status"},
      {Reason::kAlreadyEncoded, "already_encoded"},
      {Reason::kRange, "range"},
      {Reason::kEmpty, "empty"},
      {Reason::kType, "type"},
      {Reason::kTooShort, "too_short"},
      {Reason::kTooLong, "too_long"},
      {Reason::kNoTransform, "no_transform"},
      {Reason::kBypass, "bypass"},
      {Reason::kProxied, "proxied"},
      {Reason::kNoAcceptEncoding, "no_accept_encoding"},
      {Reason::kNotAcceptable, "not_acceptable"},
      {Reason::kGzip, "gzip"},
      {Reason::kMemory, "memory"},
      {Reason::kNotSmaller, "not_smaller"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ReasonName(row.reason), row.expected);
  }
}

TEST(CheckEligibility, LetsAPlainPagePass) {
  EXPECT_EQ(CheckEligibility(kPlainPage, kRules), Reason::kCompressed);
}

// Each fault is put on top of those before it, the least fundamental first.
TEST(CheckEligibility, NamesTheMostFundamentalReason) {
  ResponseFacts facts = kPlainPage;
  EligibilityRules rules = kRules;
  rules.honour_no_transform = true;
  const auto check = [&] { return CheckEligibility(facts, rules); };

  facts.bypass = true;
  EXPECT_EQ(check(), Reason::kBypass);
  facts.no_transform = true;
  EXPECT_EQ(check(), Reason::kNoTransform);
  rules.max_length = 10;
  EXPECT_EQ(check(), Reason::kTooLong);
  facts.content_length = 19;
  EXPECT_EQ(check(), Reason::kTooShort);
  facts.type_matches = false;
  EXPECT_EQ(check(), Reason::kType);
  facts.content_length = 0;
  EXPECT_EQ(check(), Reason::kEmpty);
  facts.has_content_range = true;
  EXPECT_EQ(check(), Reason::kRange);
  facts.has_content_encoding = true;
  EXPECT_EQ(check(), Reason::kAlreadyEncoded);
  facts.status = 500;
  EXPECT_EQ(check(), Reason::kStatus);
  facts.upgraded = true;
  EXPECT_EQ(check(), Reason::kUpgraded);
  facts.main_request = false;
  EXPECT_EQ(check(), Reason::kNotMainRequest);
  rules.enabled = false;
  EXPECT_EQ(check(), Reason::kOff);
}

TEST(CheckEligibility, ComparesTheLengthWhenItIsKnown) {
  const struct {
    std::int64_t length;
    std::int64_t min_length;
    std::int64_t max_length;
    Reason expected;
  } kRows[] = {
      {-1, 20, 100, Reason::kCompressed},
      {-1, 20, 0, Reason::kCompressed},
      {0, 0, -1, Reason::kEmpty},
      {1, 0, -1, Reason::kCompressed},
      {19, 20, -1, Reason::kTooShort},
      {20, 20, -1, Reason::kCompressed},
      {100, 20, 100, Reason::kCompressed},
      {101, 20, 100, Reason::kTooLong},
      {1, 0, 0, Reason::kTooLong},
      {INT64_MAX, 20, -1, Reason::kCompressed},
      {INT64_MAX, 20, INT64_MAX - 1, Reason::kTooLong},
  };
  for (const auto& row : kRows) {
    ResponseFacts facts = kPlainPage;
    facts.content_length = row.length;
    EligibilityRules rules = kRules;
    rules.min_length = row.min_length;
    rules.max_length = row.max_length;
    EXPECT_EQ(CheckEligibility(facts, rules), row.expected) << row.length;
  }
}

TEST(CheckEligibility, HonoursNoTransformOnlyWhenAsked) {
  ResponseFacts facts = kPlainPage;
  facts.no_transform = true;
  EXPECT_EQ(CheckEligibility(facts, kRules), Reason::kCompressed);
}

TEST(CheckEligibility, TakesTheListedStatusesOnly) {
  const std::set<int> listed = {200, 403, 404};
  for (int status = 0; status < 1000; ++status) {
    ResponseFacts facts = kPlainPage;
    facts.status = status;
    const Reason expected =
        listed.contains(status) ? Reason::kCompressed : Reason::kStatus;
    EXPECT_EQ(CheckEligibility(facts, kRules), expected) << status;
  }
}

TEST(CheckEligibility, NeverTakesARefusedStatusEvenWhenItIsListed) {
  for (int status = 0; status < 1000; ++status) {
    ResponseFacts facts = kPlainPage;
    facts.status = status;
    EligibilityRules rules = kRules;
    rules.statuses = {&status, 1};
    const Reason expected =
        IsRefusedStatus(status) ? Reason::kStatus : Reason::kCompressed;
    EXPECT_EQ(CheckEligibility(facts, rules), expected) << status;
  }
}

TEST(CheckEligibility, TakesNoStatusFromAnEmptyList) {
  EligibilityRules rules = kRules;
  rules.statuses = {};
  EXPECT_EQ(CheckEligibility(kPlainPage, rules), Reason::kStatus);
}

TEST(IsRefusedStatus, RefusesWhatHasNoWholeBody) {
  for (const int status : {0, 100, 101, 103, 199, 204, 205, 206, 304}) {
    EXPECT_TRUE(IsRefusedStatus(status)) << status;
  }
  for (const int status : {200, 201, 203, 207, 301, 303, 305, 403, 404, 500}) {
    EXPECT_FALSE(IsRefusedStatus(status)) << status;
  }
}

}  // namespace
}  // namespace sidepress::http_policy
