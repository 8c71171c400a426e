#include "nginx/response_edits.h"

#include "http_policy/response_headers.h"
#include "nginx/configuration.h"
#include "nginx/header_lines.h"

namespace sidepress {
namespace {

void RemoveETag(ngx_http_request_t* r) noexcept {
  r->headers_out.etag->hash = 0;
  r->headers_out.etag = nullptr;
}

}  // namespace

bool SetContentEncoding(ngx_http_request_t* r, const CodecRow& row) noexcept {
  auto* header =
      static_cast<ngx_table_elt_t*>(ngx_list_push(&r->headers_out.headers));
  if (header == nullptr) return false;
  ngx_memzero(header, sizeof(*header));
  header->hash = 1;
  ngx_str_set(&header->key, "Content-Encoding");
  header->value.len = row.token.size();
  header->value.data =
      reinterpret_cast<u_char*>(const_cast<char*>(row.token.data()));
  r->headers_out.content_encoding = header;
  return true;
}

bool EditETag(ngx_http_request_t* r) noexcept {
  ngx_table_elt_t* etag = r->headers_out.etag;
  if (etag == nullptr) return true;
  switch (static_cast<ETagPolicy>(SharedConfOf(r).etag)) {
    case ETagPolicy::kKeep:
      return true;
    case ETagPolicy::kStrip:
      RemoveETag(r);
      return true;
    case ETagPolicy::kWeak:
      break;
  }
  const std::string_view tag = ViewOf(etag->value);
  const std::size_t size = http_policy::WeakEntityTagSize(tag);
  auto* storage = static_cast<char*>(ngx_pnalloc(r->pool, size + 1));
  if (storage == nullptr) return false;
  const std::string_view weak =
      http_policy::WeakenEntityTag(tag, {storage, size});
  if (weak.empty()) {
    RemoveETag(r);
    return true;
  }
  etag->value.data = reinterpret_cast<u_char*>(const_cast<char*>(weak.data()));
  etag->value.len = weak.size();
  return true;
}

bool AddsVary(ngx_http_request_t* r) noexcept {
#if (NGX_HTTP_GZIP)
  return static_cast<ngx_http_core_loc_conf_t*>(
             ngx_http_get_module_loc_conf(r, ngx_http_core_module))
             ->gzip_vary == 1;
#else
  static_cast<void>(r);
  return false;
#endif
}

void FlagVary(ngx_http_request_t* r) noexcept {
#if (NGX_HTTP_GZIP)
  r->gzip_vary = 1;
#else
  static_cast<void>(r);
#endif
}

}  // namespace sidepress
