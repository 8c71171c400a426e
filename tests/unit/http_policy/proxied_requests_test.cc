#include "http_policy/proxied_requests.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace sidepress::http_policy {
namespace {

constexpr unsigned kEveryCondition =
    kProxiedExpired | kProxiedNoCache | kProxiedNoStore | kProxiedPrivate |
    kProxiedNoLastModified | kProxiedNoETag | kProxiedAuth;

CacheControl Control(std::initializer_list<std::string_view> lines) {
  CacheControl control;
  for (const std::string_view line : lines) control.AddLine(line);
  return control;
}

TEST(CacheControl, IsAbsentWithoutALine) {
  EXPECT_FALSE(CacheControl().present());
  EXPECT_TRUE(Control({""}).present());
}

TEST(CacheControl, FindsEachDirectiveOnAnyLine) {
  EXPECT_TRUE(Control({"max-age=0,\tNo-Cache"}).no_cache());
  EXPECT_TRUE(Control({"max-age=0", "no-store"}).no_store());
  EXPECT_TRUE(Control({"PRIVATE", "max-age=0"}).is_private());
  const CacheControl all = Control({"private, no-store, no-cache"});
  EXPECT_TRUE(all.no_cache() && all.no_store() && all.is_private());
}

TEST(CacheControl, PassesOverWhatIsLongerOrHasAnArgument) {
  const CacheControl control =
      Control({"no-cache=\"a, no-store, b\"", "x-private", "privately",
               "private=\"x\"", "max-age=no-store", ",,"});
  EXPECT_TRUE(control.present());
  EXPECT_FALSE(control.no_cache());
  EXPECT_FALSE(control.no_store());
  EXPECT_FALSE(control.is_private());
}

TEST(MayCompressProxied, OffForbidsAndAnyAllows) {
  ProxiedFacts facts;
  facts.has_authorization = true;
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedOff));
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedOff | kProxiedAny));
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedOff | kEveryCondition));
  facts.expires = Expiry::kFuture;
  facts.cache_control = Control({"public"});
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedAny));
}

TEST(MayCompressProxied, AuthorizationIsEnoughWhenItIsAskedFor) {
  ProxiedFacts facts;
  facts.expires = Expiry::kFuture;
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedAuth));
  facts.has_authorization = true;
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedAuth));
  EXPECT_FALSE(MayCompressProxied(facts, kEveryCondition & ~kProxiedAuth));
}

TEST(MayCompressProxied, ExpiresDecidesBeforeCacheControl) {
  ProxiedFacts facts;
  facts.cache_control = Control({"no-store"});
  facts.expires = Expiry::kFuture;
  EXPECT_FALSE(MayCompressProxied(facts, kEveryCondition));
  facts.expires = Expiry::kPast;
  facts.cache_control = Control({"public"});
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedExpired));
  EXPECT_FALSE(MayCompressProxied(facts, kEveryCondition & ~kProxiedExpired));
}

TEST(MayCompressProxied, EachDirectiveOfCacheControlCountsWhenItIsAskedFor) {
  const struct {
    std::string_view line;
    ProxiedCondition condition;
  } kRows[] = {
      {"no-cache", kProxiedNoCache},
      {"no-store", kProxiedNoStore},
      {"private", kProxiedPrivate},
  };
  for (const auto& row : kRows) {
    ProxiedFacts facts;
    facts.cache_control = Control({row.line});
    EXPECT_TRUE(MayCompressProxied(facts, row.condition)) << row.line;
    EXPECT_FALSE(MayCompressProxied(facts, kEveryCondition & ~row.condition))
        << row.line;
  }
  ProxiedFacts facts;
  facts.cache_control = Control({"max-age=60"});
  EXPECT_FALSE(MayCompressProxied(facts, kEveryCondition));
}

TEST(MayCompressProxied, ValidatorsForbidOnlyWhereNothingElseSpeaks) {
  ProxiedFacts facts;
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedExpired));
  EXPECT_TRUE(MayCompressProxied(facts, kEveryCondition));
  facts.has_last_modified = true;
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedNoETag));
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedNoLastModified));
  facts = ProxiedFacts();
  facts.has_etag = true;
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedNoLastModified));
  EXPECT_FALSE(MayCompressProxied(facts, kProxiedNoETag));
  facts.cache_control = Control({"private"});
  EXPECT_TRUE(MayCompressProxied(facts, kProxiedPrivate | kProxiedNoETag));
}

}  // namespace
}  // namespace sidepress::http_policy
