#include "http_policy/proxied_requests.h"

#include "http_policy/header_lexer.h"

namespace sidepress::http_policy {

void CacheControl::AddLine(std::string_view line) noexcept {
  present_ = true;
  while (!line.empty()) {
    const std::string_view directive = CutItem(line, ',');
    no_cache_ |= EqualsIgnoringCase(directive, "no-cache");
    no_store_ |= EqualsIgnoringCase(directive, "no-store");
    private_ |= EqualsIgnoringCase(directive, "private");
  }
}

bool MayCompressProxied(const ProxiedFacts& facts,
                        unsigned conditions) noexcept {
  const auto asked = [conditions](ProxiedCondition condition) noexcept {
    return (conditions & condition) != 0;
  };
  if (asked(kProxiedOff)) return false;
  if (asked(kProxiedAny)) return true;
  if (asked(kProxiedAuth) && facts.has_authorization) return true;
  if (facts.expires != Expiry::kNotGiven) {
    return asked(kProxiedExpired) && facts.expires == Expiry::kPast;
  }
  const CacheControl& control = facts.cache_control;
  if (control.present()) {
    return (asked(kProxiedNoCache) && control.no_cache()) ||
           (asked(kProxiedNoStore) && control.no_store()) ||
           (asked(kProxiedPrivate) && control.is_private());
  }
  if (asked(kProxiedNoLastModified) && facts.has_last_modified) return false;
  return !(asked(kProxiedNoETag) && facts.has_etag);
}

}  // namespace sidepress::http_policy
