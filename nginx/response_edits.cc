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

u_char* Data(std::string_view text) noexcept {
  return reinterpret_cast<u_char*>(const_cast<char*>(text.data()));
}

// REQUIRES: the texts outlive the request. Returns: nullptr when memory is
// refused.
ngx_table_elt_t* AddHeader(ngx_http_request_t* r, std::string_view name,
                           std::string_view value) noexcept {
  auto* header =
      static_cast<ngx_table_elt_t*>(ngx_list_push(&r->headers_out.headers));
  if (header == nullptr) return nullptr;
  ngx_memzero(header, sizeof(*header));
  header->hash = 1;
  header->key = {name.size(), Data(name)};
  header->value = {value.size(), Data(value)};
  return header;
}

bool GzipVaryIsOn(ngx_http_request_t* r) noexcept {
#if (NGX_HTTP_GZIP)
  return static_cast<ngx_http_core_loc_conf_t*>(
             ngx_http_get_module_loc_conf(r, ngx_http_core_module))
             ->gzip_vary == 1;
#else
  static_cast<void>(r);
  return false;
#endif
}

bool HasVary(ngx_http_request_t* r) noexcept {
  HeaderLines lines(r->headers_out.headers, "vary");
  while (const ngx_table_elt_t* line = lines.Next()) {
    if (http_policy::VariesByAcceptEncoding(ViewOf(line->value))) return true;
  }
  return false;
}

}  // namespace

bool HasContentEncoding(const ngx_http_request_t* r) noexcept {
  const ngx_table_elt_t* header = r->headers_out.content_encoding;
  return header != nullptr && header->hash != 0 && header->value.len > 0;
}

bool SetContentEncoding(ngx_http_request_t* r, const CodecRow& row) noexcept {
  ngx_table_elt_t* header = AddHeader(r, "Content-Encoding", row.token);
  if (header == nullptr) return false;
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
  etag->value = {weak.size(), Data(weak)};
  return true;
}

bool AddsVary(ngx_http_request_t* r) noexcept {
  const ngx_flag_t vary = SharedConfOf(r).vary;
  return vary == NGX_CONF_UNSET ? GzipVaryIsOn(r) : vary == 1;
}

bool FlagVary(ngx_http_request_t* r) noexcept {
  if (!AddsVary(r) || HasVary(r)) return true;
#if (NGX_HTTP_GZIP)
  // NGINX adds the line itself then, for gzip's sake as well.
  if (GzipVaryIsOn(r)) {
    r->gzip_vary = 1;
    return true;
  }
#endif
  return AddHeader(r, "Vary", "Accept-Encoding") != nullptr;
}

}  // namespace sidepress
