// Changes to the header of a response, shared by the filter and the static
// handler. All return false when memory is refused.
#pragma once

#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

bool SetContentEncoding(ngx_http_request_t* r, const CodecRow& row) noexcept;

// Gives the entity tag its weak form; removes what is no entity tag.
bool WeakenETag(ngx_http_request_t* r) noexcept;

// Says that the coding of this response was negotiated: NGINX adds Vary when
// gzip_vary is on.
void FlagVary(ngx_http_request_t* r) noexcept;

// Whether FlagVary has any effect here.
bool AddsVary(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
