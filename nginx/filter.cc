#include "nginx/filter.h"

#include "nginx/gzip_peer.h"
#include "nginx/module_tables.h"
#include "nginx/negotiation.h"
#include "nginx/request_stream.h"
#include "nginx/response_edits.h"

namespace sidepress {
namespace {

ngx_http_output_header_filter_pt next_header_filter;
ngx_http_output_body_filter_pt next_body_filter;

ngx_int_t HeaderFilter(ngx_http_request_t* r) noexcept {
  const Verdict verdict = Negotiate(r);
  if (verdict.negotiated && !FlagVary(r)) return NGX_ERROR;
  const CodecRow* row = verdict.row;
  if (row == nullptr) return next_header_filter(r);
  if (!r->header_only) {
    RequestStream* stream = RequestStream::Create(r, *row);
    if (stream == nullptr) return next_header_filter(r);
    ngx_http_set_ctx(r, stream, ngx_http_sidepress_module);
    r->main_filter_need_in_memory = 1;
  }
  ForbidGzip(r);
  // Once the header says that the response is encoded, it must be.
  if (!SetContentEncoding(r, *row) || !EditETag(r)) return NGX_ERROR;
  ngx_http_clear_content_length(r);
  ngx_http_clear_accept_ranges(r);
  return next_header_filter(r);
}

ngx_int_t BodyFilter(ngx_http_request_t* r, ngx_chain_t* in) noexcept {
  auto* stream = static_cast<RequestStream*>(
      ngx_http_get_module_ctx(r, ngx_http_sidepress_module));
  if (stream == nullptr || r->header_only) return next_body_filter(r, in);
  return stream->Filter(in);
}

}  // namespace

void InstallFilter() noexcept {
  next_header_filter = ngx_http_top_header_filter;
  ngx_http_top_header_filter = HeaderFilter;
  next_body_filter = ngx_http_top_body_filter;
  ngx_http_top_body_filter = BodyFilter;
}

ngx_int_t NextBodyFilter(ngx_http_request_t* r, ngx_chain_t* in) noexcept {
  return next_body_filter(r, in);
}

}  // namespace sidepress
