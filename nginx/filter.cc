#include "nginx/filter.h"

#include "nginx/gzip_peer.h"
#include "nginx/negotiation.h"
#include "nginx/request_stream.h"
#include "nginx/response_edits.h"
#include "nginx/response_record.h"

namespace sidepress {
namespace {

using http_policy::Reason;

ngx_http_output_header_filter_pt next_header_filter;
ngx_http_output_body_filter_pt next_body_filter;

// Returns: false when it cannot be compressed; it is to be sent as it is then.
bool StartStream(ngx_http_request_t* r, ResponseRecord& record) noexcept {
  record.stream = RequestStream::Create(r, *record.row);
  if (record.stream == nullptr) return false;
  r->main_filter_need_in_memory = 1;
  return true;
}

// REQUIRES: a main request; subrequests are not negotiated.
ngx_int_t Compress(ngx_http_request_t* r, ResponseRecord& record) noexcept {
  if (!r->header_only && !StartStream(r, record)) {
    record.row = nullptr;
    record.reason = Reason::kMemory;
    return next_header_filter(r);
  }
  ForbidGzip(r);
  // Once the header says that the response is encoded, it must be.
  if (!SetContentEncoding(r, *record.row) || !EditETag(r)) return NGX_ERROR;
  ngx_http_clear_content_length(r);
  ngx_http_clear_accept_ranges(r);
  return next_header_filter(r);
}

ngx_int_t HeaderFilter(ngx_http_request_t* r) noexcept {
  const Verdict verdict = Negotiate(r);
  if (verdict.negotiated && !FlagVary(r)) return NGX_ERROR;
  if (r != r->main) return next_header_filter(r);
  if (verdict.reason == Reason::kOff && FindRecord(r) == nullptr) {
    return next_header_filter(r);
  }
  ResponseRecord* record = MakeRecord(r);
  if (record == nullptr) return NGX_ERROR;
  // A sidecar stays on record.
  if (record->row != nullptr && HasContentEncoding(r)) {
    return next_header_filter(r);
  }
  *record = {verdict.row, nullptr, verdict.reason};
  return verdict.row == nullptr ? next_header_filter(r) : Compress(r, *record);
}

ngx_int_t BodyFilter(ngx_http_request_t* r, ngx_chain_t* in) noexcept {
  if (r != r->main || r->header_only) return next_body_filter(r, in);
  const ResponseRecord* record = FindRecord(r);
  if (record == nullptr || record->stream == nullptr) {
    return next_body_filter(r, in);
  }
  return record->stream->Filter(in);
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
