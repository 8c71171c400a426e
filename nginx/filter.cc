#include "nginx/filter.h"

#include "http_policy/coding_election.h"
#include "http_policy/response_eligibility.h"
#include "nginx/accepted_codings.h"
#include "nginx/codec_table.h"
#include "nginx/configuration.h"
#include "nginx/gzip_peer.h"
#include "nginx/module_tables.h"
#include "nginx/request_stream.h"
#include "nginx/response_edits.h"

namespace sidepress {
namespace {

using http_policy::Coding;
using http_policy::CodingSet;
using http_policy::Reason;

ngx_http_output_header_filter_pt next_header_filter;
ngx_http_output_body_filter_pt next_body_filter;

Reason EligibilityOf(ngx_http_request_t* r, CodecLocConf& conf) noexcept {
  if (conf.enable != 1) return Reason::kOff;
  const ngx_http_headers_out_t& headers = r->headers_out;
  http_policy::ResponseFacts facts;
  facts.main_request = r == r->main;
  facts.status = static_cast<int>(headers.status);
  facts.has_content_encoding = headers.content_encoding != nullptr &&
                               headers.content_encoding->hash != 0 &&
                               headers.content_encoding->value.len > 0;
  facts.has_content_range = headers.content_range != nullptr;
  facts.upgraded = r->upstream != nullptr && r->upstream->upgrade;
  facts.content_length = headers.content_length_n;
  facts.type_matches = ngx_http_test_content_type(r, &conf.types) != nullptr;
  facts.bypass = ngx_http_test_predicates(r, conf.bypass) != NGX_OK;
  http_policy::EligibilityRules rules;
  rules.enabled = true;
  rules.min_length = conf.min_length;
  if (conf.max_length > 0) rules.max_length = conf.max_length;
  return http_policy::CheckEligibility(facts, rules);
}

// The codecs that could compress this response.
CodingSet OfferedCodings(ngx_http_request_t* r) noexcept {
  CodingSet offered;
  for (const CodecRow& row : Codecs()) {
    if (EligibilityOf(r, LocConfOf(r, row)) == Reason::kCompressed) {
      offered.Add(row.coding);
    }
  }
  return offered;
}

// Returns: nullptr when the response is to be left to others.
const CodecRow* ElectCodec(ngx_http_request_t* r) noexcept {
  CodingSet offered = OfferedCodings(r);
  if (offered.Empty()) return nullptr;
  FlagVary(r);
  const http_policy::AcceptedCodings accepted = AcceptedCodingsOf(r);
  if (accepted.Accepts(Coding::kGzip)) {
    auto* conf = static_cast<SidepressLocConf*>(
        ngx_http_get_module_loc_conf(r, ngx_http_sidepress_module));
    if (GzipWouldCompress(r, conf->gzip_types)) offered.Add(Coding::kGzip);
  }
  return CodecOf(http_policy::ElectCoding(accepted, offered,
                                          http_policy::kDefaultPreference));
}

ngx_int_t HeaderFilter(ngx_http_request_t* r) noexcept {
  const CodecRow* row = ElectCodec(r);
  if (row == nullptr) return next_header_filter(r);
  if (!r->header_only) {
    RequestStream* stream = RequestStream::Create(r, *row);
    if (stream == nullptr) return next_header_filter(r);
    ngx_http_set_ctx(r, stream, ngx_http_sidepress_module);
    r->main_filter_need_in_memory = 1;
  }
  ForbidGzip(r);
  // Once the header says that the response is encoded, it must be.
  if (!SetContentEncoding(r, *row) || !WeakenETag(r)) return NGX_ERROR;
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
