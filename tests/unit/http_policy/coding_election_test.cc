#include "http_policy/coding_election.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sidepress::http_policy {
namespace {

constexpr CodingSet kAll = {Coding::kGzip, Coding::kBrotli, Coding::kZstd};

AcceptedCodings Accept(std::string_view line) {
  AcceptedCodings accepted;
  accepted.AddLine(line);
  return accepted;
}

TEST(CodingSet, HoldsWhatWasAdded) {
  CodingSet set;
  EXPECT_TRUE(set.Empty());
  set.Add(Coding::kBrotli);
  set.Add(Coding::kBrotli);
  EXPECT_TRUE(set.Has(Coding::kBrotli));
  EXPECT_FALSE(set.Has(Coding::kZstd));
  EXPECT_EQ(set, CodingSet{Coding::kBrotli});
  set.Remove(Coding::kZstd);
  set.Remove(Coding::kBrotli);
  EXPECT_TRUE(set.Empty());
  static_assert(kAll.Has(Coding::kGzip) && !kAll.Has(Coding::kIdentity));
}

TEST(ElectCoding, TakesTheHighestWeightAndThenThePreferred) {
  using enum Coding;
  const struct {
    std::string_view line;
    CodingSet offered;
    std::vector<Coding> preference;
    Coding expected;
  } kRows[] = {
      {"gzip;q=1, br;q=0.5, zstd;q=0.1", kAll, {kZstd, kBrotli, kGzip}, kGzip},
      {"gzip;q=1, br;q=0.5, zstd;q=0.1", {kBrotli, kZstd}, {kZstd}, kBrotli},
      {"gzip, br, zstd", kAll, {kZstd, kBrotli, kGzip}, kZstd},
      {"gzip, br, zstd", kAll, {kGzip, kBrotli, kZstd}, kGzip},
      {"gzip, br, zstd", kAll, {kGzip}, kGzip},
      {"gzip, br, zstd", kAll, {}, kZstd},
      {"gzip, br, zstd", {kGzip, kBrotli}, {}, kBrotli},
      {"gzip, br;q=0.999, zstd", kAll, {kBrotli}, kZstd},
      {"gzip, br, zstd", kAll, {kIdentity, kBrotli}, kBrotli},
      {"gzip, br, zstd", kAll, {kBrotli, kBrotli, kZstd}, kBrotli},
      {"gzip, br, zstd", {}, {kZstd}, kIdentity},
      {"gzip, br, zstd", {kIdentity}, {kIdentity}, kIdentity},
      {"gzip", {kBrotli, kZstd}, {kGzip}, kIdentity},
      {"br;q=0, zstd;q=0", kAll, {kZstd, kBrotli}, kIdentity},
      {"*", kAll, {kZstd, kBrotli, kGzip}, kIdentity},
      {"identity, br;q=0.1", kAll, {kIdentity}, kBrotli},
      {"identity, br;q=0.1", {kIdentity, kBrotli}, {kIdentity}, kBrotli},
      {"", kAll, {kZstd, kBrotli, kGzip}, kIdentity},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ElectCoding(Accept(row.line), row.offered, row.preference),
              row.expected)
        << row.line;
  }
}

// By the words of the rule: candidates sorted by weight, then by place.
Coding ElectBySorting(const AcceptedCodings& accepted, CodingSet offered,
                      const std::vector<Coding>& order) {
  std::vector<Coding> candidates;
  for (const Coding coding : order) {
    if (offered.Has(coding) && accepted.Accepts(coding)) {
      candidates.push_back(coding);
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](Coding left, Coding right) {
                     return accepted.Weight(left) > accepted.Weight(right);
                   });
  return candidates.empty() ? Coding::kIdentity : candidates.front();
}

std::vector<AcceptedCodings> EveryMixOfWeights() {
  const std::string weights[] = {"0", "0.3", "0.7", "1"};
  std::vector<AcceptedCodings> mixes;
  for (const std::string& gzip : weights) {
    for (const std::string& brotli : weights) {
      for (const std::string& zstd : weights) {
        mixes.push_back(
            Accept("gzip;q=" + gzip + ", br;q=" + brotli + ", zstd;q=" + zstd));
      }
    }
  }
  return mixes;
}

std::vector<CodingSet> EverySetOfOffers() {
  std::vector<CodingSet> sets = {{}};
  for (const Coding coding : kDefaultPreference) {
    const std::vector<CodingSet> without = sets;
    for (CodingSet set : without) {
      set.Add(coding);
      sets.push_back(set);
    }
  }
  return sets;
}

TEST(ElectCoding, AgreesWithSortingForEveryElection) {
  std::vector<Coding> order = {Coding::kGzip, Coding::kBrotli, Coding::kZstd};
  do {
    for (const AcceptedCodings& accepted : EveryMixOfWeights()) {
      for (const CodingSet offered : EverySetOfOffers()) {
        ASSERT_EQ(ElectCoding(accepted, offered, order),
                  ElectBySorting(accepted, offered, order));
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace sidepress::http_policy
