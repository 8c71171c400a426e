// Whether a response is compressed on the fly, and with what.
#pragma once

#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

struct Verdict {
  const CodecRow* row = nullptr;  // nullptr: the response is left to others
  bool negotiated = false;        // it depends on what the client accepts
};

// Whether `compress_proxied` lets this response have a coding: always, unless
// the request came through a proxy.
bool ProxyMayHaveCoding(ngx_http_request_t* r) noexcept;

// REQUIRES: called from a header filter before gzip's.
Verdict Negotiate(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
