// NGINX's own gzip modules, as rivals in the election of the coding.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

// What ngx_http_types_slot stores for "*".
inline ngx_array_t* const kAnyType = reinterpret_cast<ngx_array_t*>(-1);

// The keys of gzip_types that were set for `loc_conf` (of a location, a server
// or http); nullptr when they are inherited. Inheritance copies NGINX's hash
// and not the keys, so the caller must follow it while confs are merged, and
// copy the keys: they end with the reading of the configuration.
ngx_array_t* GzipTypesSetIn(void** loc_conf) noexcept;

// Whether gzip would compress this response if no other coding were chosen.
// REQUIRES: called from a header filter before gzip's.
// `types`: the keys of gzip_types that hold for the request.
bool GzipWouldCompress(ngx_http_request_t* r,
                       const ngx_array_t* types) noexcept;

// Whether gzip_static would serve FILE.gz for this request if there is one.
bool GzipStaticWouldServe(ngx_http_request_t* r) noexcept;

// Keeps gzip away from a response that another coding was chosen for.
void ForbidGzip(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
