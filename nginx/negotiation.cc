#include "nginx/negotiation.h"

#include <algorithm>

#include "http_policy/coding_election.h"
#include "http_policy/proxied_requests.h"
#include "http_policy/response_eligibility.h"
#include "http_policy/response_headers.h"
#include "nginx/accepted_codings.h"
#include "nginx/configuration.h"
#include "nginx/gzip_peer.h"
#include "nginx/header_lines.h"
#include "nginx/response_edits.h"

namespace sidepress {
namespace {

using http_policy::Coding;
using http_policy::CodingSet;
using http_policy::Reason;

bool ForbidsTransform(ngx_http_request_t* r) noexcept {
  HeaderLines lines(r->headers_out.headers, "cache-control");
  while (const ngx_table_elt_t* line = lines.Next()) {
    if (http_policy::HasNoTransform(ViewOf(line->value))) return true;
  }
  return false;
}

Reason EligibilityOf(ngx_http_request_t* r, CodecLocConf& conf) noexcept {
  if (conf.enable != 1) return Reason::kOff;
  const SidepressLocConf& shared = SharedConfOf(r);
  const ngx_http_headers_out_t& headers = r->headers_out;
  http_policy::EligibilityRules rules;
  rules.enabled = true;
  rules.min_length = conf.min_length;
  if (conf.max_length > 0) rules.max_length = conf.max_length;
  rules.honour_no_transform = shared.no_transform == 1;
  rules.statuses = StatusesOf(shared);
  http_policy::ResponseFacts facts;
  facts.main_request = r == r->main;
  facts.status = static_cast<int>(headers.status);
  facts.has_content_encoding = HasContentEncoding(r);
  facts.has_content_range = headers.content_range != nullptr;
  facts.upgraded = r->upstream != nullptr && r->upstream->upgrade;
  facts.content_length = headers.content_length_n;
  facts.type_matches = ngx_http_test_content_type(r, &conf.types) != nullptr;
  facts.no_transform = rules.honour_no_transform && ForbidsTransform(r);
  facts.bypass = ngx_http_test_predicates(r, conf.bypass) != NGX_OK;
  return http_policy::CheckEligibility(facts, rules);
}

http_policy::Expiry ExpiryOf(ngx_http_request_t* r) noexcept {
  const ngx_table_elt_t* expires = r->headers_out.expires;
  if (expires == nullptr) return http_policy::Expiry::kNotGiven;
  const time_t at =
      ngx_parse_http_time(expires->value.data, expires->value.len);
  const ngx_table_elt_t* date = r->headers_out.date;
  const time_t now =
      date == nullptr ? ngx_time()
                      : ngx_parse_http_time(date->value.data, date->value.len);
  if (at == NGX_ERROR || now == NGX_ERROR) return http_policy::Expiry::kFuture;
  return at < now ? http_policy::Expiry::kPast : http_policy::Expiry::kFuture;
}

struct Offer {
  CodingSet codings;               // those that could compress it
  Reason furthest = Reason::kOff;  // of those that could not
};

Offer OfferOf(ngx_http_request_t* r) noexcept {
  Offer offer;
  for (const CodecRow& row : Codecs()) {
    const Reason reason = EligibilityOf(r, LocConfOf(r, row));
    if (reason == Reason::kCompressed) offer.codings.Add(row.coding);
    // Reasons are in the order of the checks.
    offer.furthest = std::max(offer.furthest, reason);
  }
  return offer;
}

Reason ReasonAgainst(const http_policy::AcceptedCodings& accepted,
                     Coding elected) noexcept {
  if (!accepted.present()) return Reason::kNoAcceptEncoding;
  return elected == Coding::kGzip ? Reason::kGzip : Reason::kNotAcceptable;
}

}  // namespace

bool ProxyMayHaveCoding(ngx_http_request_t* r) noexcept {
  const auto conditions = static_cast<unsigned>(SharedConfOf(r).proxied);
  if (conditions == http_policy::kProxiedAny) return true;
  // headers_in.via exists only in an NGINX with gzip.
  if (!HasHeader(r->headers_in.headers, "via")) return true;
  http_policy::ProxiedFacts facts;
  facts.has_authorization = r->headers_in.authorization != nullptr;
  facts.expires = ExpiryOf(r);
  HeaderLines lines(r->headers_out.headers, "cache-control");
  while (const ngx_table_elt_t* line = lines.Next()) {
    facts.cache_control.AddLine(ViewOf(line->value));
  }
  facts.has_last_modified = r->headers_out.last_modified != nullptr;
  facts.has_etag = r->headers_out.etag != nullptr;
  return http_policy::MayCompressProxied(facts, conditions);
}

Verdict Negotiate(ngx_http_request_t* r) noexcept {
  Offer offer = OfferOf(r);
  if (offer.codings.Empty()) return {.reason = offer.furthest};
  if (!ProxyMayHaveCoding(r)) {
    return {.negotiated = true, .reason = Reason::kProxied};
  }
  const http_policy::AcceptedCodings accepted = AcceptedCodingsOf(r);
  if (accepted.Accepts(Coding::kGzip) &&
      GzipWouldCompress(r, SharedConfOf(r).gzip_types)) {
    offer.codings.Add(Coding::kGzip);
  }
  const Coding coding = http_policy::ElectCoding(accepted, offer.codings,
                                                 SharedConfOf(r).prefer.All());
  const CodecRow* row = CodecOf(coding);
  return {.row = row,
          .negotiated = true,
          .reason = row == nullptr ? ReasonAgainst(accepted, coding)
                                   : Reason::kCompressed};
}

}  // namespace sidepress
