// Whether the answer to a request that came through a proxy may be compressed:
// `compress_proxied`, with the meaning of NGINX's gzip_proxied. Pure, for any
// thread.
#pragma once

#include <string_view>

namespace sidepress::http_policy {

// The parameters of the directive, as bits of one number.
enum ProxiedCondition : unsigned {
  kProxiedOff = 1U << 0U,
  kProxiedExpired = 1U << 1U,
  kProxiedNoCache = 1U << 2U,
  kProxiedNoStore = 1U << 3U,
  kProxiedPrivate = 1U << 4U,
  kProxiedNoLastModified = 1U << 5U,
  kProxiedNoETag = 1U << 6U,
  kProxiedAuth = 1U << 7U,
  kProxiedAny = 1U << 8U,
};

// What the Cache-Control lines of a response say.
class CacheControl {
 public:
  void AddLine(std::string_view line) noexcept;

  bool present() const noexcept { return present_; }
  // Directives with an argument do not count: they are about some fields of
  // the header and not about the response (RFC 9111 5.2.2.4, 5.2.2.7).
  bool no_cache() const noexcept { return no_cache_; }
  bool no_store() const noexcept { return no_store_; }
  bool is_private() const noexcept { return private_; }

 private:
  bool present_ = false;
  bool no_cache_ = false;
  bool no_store_ = false;
  bool private_ = false;
};

enum class Expiry : unsigned char {
  kNotGiven,
  kPast,
  kFuture,  // or a date that cannot be read
};

struct ProxiedFacts {
  bool has_authorization = false;  // the request
  Expiry expires = Expiry::kNotGiven;
  CacheControl cache_control;
  bool has_last_modified = false;
  bool has_etag = false;
};

// Returns: whether the response may be compressed under these conditions, a
// sum of ProxiedCondition, for a request with Via.
//
// As gzip_proxied, which says more by its code than by its documentation: the
// first of Authorization (when asked for), Expires and Cache-Control that the
// exchange has decides alone. Where it has none, nothing tells that the proxy
// would keep the response, and only no_last_modified and no_etag can still
// forbid.
bool MayCompressProxied(const ProxiedFacts& facts,
                        unsigned conditions) noexcept;

}  // namespace sidepress::http_policy
