// The header and body filters, one for all codecs.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

// Puts the filters on top of those that are installed already. Their place
// among the modules decides the order (nginx/module_exports.c).
void InstallFilter() noexcept;

// The body filter that comes after this one.
ngx_int_t NextBodyFilter(ngx_http_request_t* r, ngx_chain_t* in) noexcept;

}  // namespace sidepress
