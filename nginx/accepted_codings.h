// What the client accepts, read from the request's header lines.
#pragma once

#include "http_policy/accept_encoding.h"
#include "nginx/ngx.h"

namespace sidepress {

// All Accept-Encoding lines of the request as one list. NGINX before 1.23
// links only one of them to headers_in.
http_policy::AcceptedCodings AcceptedCodingsOf(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
