#include "nginx/filter.h"

#include "nginx/gzip_peer.h"
#include "nginx/held_body.h"
#include "nginx/negotiation.h"
#include "nginx/request_stream.h"
#include "nginx/response_edits.h"
#include "nginx/response_record.h"

namespace sidepress {
namespace {

using http_policy::Reason;

ngx_http_output_header_filter_pt next_header_filter;
ngx_http_output_body_filter_pt next_body_filter;

bool IsSent(ngx_http_request_t* r, ngx_int_t header_result) noexcept {
  return header_result != NGX_ERROR && header_result <= NGX_OK &&
         !r->header_only;
}

ngx_int_t SendAsItIs(ngx_http_request_t* r, ResponseRecord& record,
                     Reason reason) noexcept {
  record = {nullptr, nullptr, nullptr, reason};
  return next_header_filter(r);
}

// `length`: of the compressed response; -1: not known.
ngx_int_t SendCodedHeader(ngx_http_request_t* r, const CodecRow& row,
                          off_t length) noexcept {
  // Once the header says that the response is encoded, it must be.
  if (!SetContentEncoding(r, row) || !EditETag(r)) return NGX_ERROR;
  ngx_http_clear_content_length(r);
  ngx_http_clear_accept_ranges(r);
  r->headers_out.content_length_n = length;
  return next_header_filter(r);
}

// Whether bodies come in memory, or as files that the tasks read. NGINX hands
// on files only with sendfile, and this filter passes none of them further.
void AskForInput(ngx_http_request_t* r, const ResponseRecord& record) noexcept {
  if (record.stream != nullptr && record.stream->ReadsFiles()) {
    r->connection->sendfile = 1;
  } else if (!r->header_only) {
    r->main_filter_need_in_memory = 1;
  }
}

// REQUIRES: a main request; subrequests are not negotiated.
ngx_int_t Compress(ngx_http_request_t* r, ResponseRecord& record) noexcept {
  ForbidGzip(r);
  if (HeldBody::IsFor(r, *record.row)) record.held = HeldBody::Create(r);
  if (record.held == nullptr && !r->header_only) {
    record.stream = RequestStream::Create(r, *record.row);
    if (record.stream == nullptr) {
      return SendAsItIs(r, record, Reason::kMemory);
    }
  }
  AskForInput(r, record);
  if (record.held != nullptr) {
    // NGINX cuts a range out of the body above this filter, and what passes
    // there before the header was sent stays whole.
    if (r->headers_in.range != nullptr) r->allow_ranges = 0;
    return NGX_OK;
  }
  return SendCodedHeader(r, *record.row, -1);
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
  *record = {verdict.row, nullptr, nullptr, verdict.reason};
  return verdict.row == nullptr ? next_header_filter(r) : Compress(r, *record);
}

// The body is whole: its compressed length is known before the header is sent.
ngx_int_t SendWhole(ngx_http_request_t* r, ResponseRecord& record,
                    const HeldBody& held, ngx_chain_t* body) noexcept {
  RequestStream* stream = RequestStream::Create(r, *record.row);
  // The stream leaves the bytes as they are, but moves the buffer's mark.
  u_char* start = body->buf->pos;
  const bool compressed = stream != nullptr && stream->CompressWhole(body);
  if (compressed && stream->produced() < held.size()) {
    record.stream = stream;
    const ngx_int_t rc =
        SendCodedHeader(r, *record.row, static_cast<off_t>(stream->produced()));
    return IsSent(r, rc) ? stream->Filter(nullptr) : rc;
  }
  if (stream != nullptr) stream->Discard();
  body->buf->pos = start;
  const ngx_int_t rc =
      SendAsItIs(r, record, compressed ? Reason::kNotSmaller : Reason::kMemory);
  return IsSent(r, rc) ? next_body_filter(r, body) : rc;
}

// Something must be sent before the body is whole.
ngx_int_t SendOverdue(ngx_http_request_t* r, ResponseRecord& record,
                      ngx_chain_t* body) noexcept {
  record.stream = RequestStream::Create(r, *record.row);
  if (record.stream == nullptr) {
    const ngx_int_t rc = SendAsItIs(r, record, Reason::kMemory);
    return IsSent(r, rc) ? next_body_filter(r, body) : rc;
  }
  const ngx_int_t rc = SendCodedHeader(r, *record.row, -1);
  return IsSent(r, rc) ? record.stream->Filter(body) : rc;
}

ngx_int_t HoldBody(ngx_http_request_t* r, ResponseRecord& record,
                   ngx_chain_t* in) noexcept {
  HeldBody& held = *record.held;
  const HeldBody::State state = held.Append(in);
  if (state == HeldBody::State::kWaiting) return NGX_OK;
  record.held = nullptr;
  ngx_chain_t* body = nullptr;
  if (!held.TakeBody(&body)) return NGX_ERROR;
  return state == HeldBody::State::kWhole ? SendWhole(r, record, held, body)
                                          : SendOverdue(r, record, body);
}

ngx_int_t BodyFilter(ngx_http_request_t* r, ngx_chain_t* in) noexcept {
  if (r != r->main || r->header_only) return next_body_filter(r, in);
  ResponseRecord* record = FindRecord(r);
  if (record != nullptr && record->held != nullptr) {
    return HoldBody(r, *record, in);
  }
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
