// Whether a response is compressed on the fly, and with what.
#pragma once

#include "http_policy/response_eligibility.h"
#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

struct Verdict {
  const CodecRow* row = nullptr;  // nullptr: the response is left to others
  bool negotiated = false;        // it depends on what the client accepts
  // Why there is no row: that of the codec which came furthest.
  http_policy::Reason reason = http_policy::Reason::kOff;
};

// Whether `compress_proxied` lets this response have a coding: always, unless
// the request came through a proxy.
bool ProxyMayHaveCoding(ngx_http_request_t* r) noexcept;

// REQUIRES: called from a header filter before gzip's.
Verdict Negotiate(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
