#include "nginx/gzip_peer.h"

#include <string_view>

#if (NGX_HTTP_GZIP)

// Weak: NGINX may have been built without them.
extern "C" [[gnu::weak]] ngx_module_t ngx_http_gzip_filter_module;
extern "C" [[gnu::weak]] ngx_module_t ngx_http_gzip_static_module;

#endif

namespace sidepress {

#if (NGX_HTTP_GZIP)

namespace {

// The configuration of these modules is private to them, but their tables of
// directives say where each value is kept.
class PeerConf {
 public:
  // `module` may be nullptr: nothing is found then.
  PeerConf(ngx_module_t* module, void** loc_conf) noexcept
      : module_(module),
        conf_(module_ == nullptr
                  ? nullptr
                  : static_cast<char*>(loc_conf[module_->ctx_index])) {}

  template <typename T>
  const T* Find(std::string_view directive) const noexcept {
    if (module_ == nullptr) return nullptr;
    for (ngx_command_t* command = module_->commands; command->name.len > 0;
         ++command) {
      if (std::string_view(reinterpret_cast<char*>(command->name.data),
                           command->name.len) == directive) {
        return reinterpret_cast<const T*>(conf_ + command->offset);
      }
    }
    return nullptr;
  }

 private:
  ngx_module_t* module_;
  char* conf_;
};

bool TypeMatches(ngx_http_request_t* r, const ngx_array_t* keys) noexcept {
  if (keys == nullptr) return false;
  if (keys == kAnyType) return true;
  const ngx_str_t& type = r->headers_out.content_type;
  const std::size_t size = r->headers_out.content_type_len;
  const auto* elements = static_cast<const ngx_hash_key_t*>(keys->elts);
  for (ngx_uint_t i = 0; i < keys->nelts; ++i) {
    const ngx_str_t& key = elements[i].key;
    if (key.len == size && ngx_strncasecmp(key.data, type.data, size) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

ngx_array_t* GzipTypesSetIn(void** loc_conf) noexcept {
  auto* const* types = PeerConf(&ngx_http_gzip_filter_module, loc_conf)
                           .Find<ngx_array_t*>("gzip_types");
  return types == nullptr ? nullptr : *types;
}

bool GzipWouldCompress(ngx_http_request_t* r,
                       const ngx_array_t* types) noexcept {
  const PeerConf conf(&ngx_http_gzip_filter_module, r->loc_conf);
  const auto* enable = conf.Find<ngx_flag_t>("gzip");
  const auto* min_length = conf.Find<ssize_t>("gzip_min_length");
  if (enable == nullptr || *enable != 1 || min_length == nullptr) return false;
  const off_t length = r->headers_out.content_length_n;
  return (length == -1 || length >= *min_length) && TypeMatches(r, types) &&
         ngx_http_gzip_ok(r) == NGX_OK;
}

bool GzipStaticWouldServe(ngx_http_request_t* r) noexcept {
  const auto* mode = PeerConf(&ngx_http_gzip_static_module, r->loc_conf)
                         .Find<ngx_uint_t>("gzip_static");
  constexpr ngx_uint_t kOn = 1;
  constexpr ngx_uint_t kAlways = 2;  // it asks nothing of the client
  return mode != nullptr &&
         (*mode == kAlways || (*mode == kOn && ngx_http_gzip_ok(r) == NGX_OK));
}

void ForbidGzip(ngx_http_request_t* r) noexcept {
  r->gzip_tested = 1;
  r->gzip_ok = 0;
}

#else

ngx_array_t* GzipTypesSetIn(void**) noexcept { return nullptr; }

bool GzipWouldCompress(ngx_http_request_t*, const ngx_array_t*) noexcept {
  return false;
}

bool GzipStaticWouldServe(ngx_http_request_t*) noexcept { return false; }

void ForbidGzip(ngx_http_request_t*) noexcept {}

#endif

}  // namespace sidepress
