// Changes to the header of a response, shared by the filter and the static
// handler. Edits return false when memory is refused.
#pragma once

#include "nginx/codec_table.h"
#include "nginx/ngx.h"

namespace sidepress {

bool HasContentEncoding(const ngx_http_request_t* r) noexcept;

bool SetContentEncoding(ngx_http_request_t* r, const CodecRow& row) noexcept;

// Of a response compressed on the fly. By `compress_etag`, gives the entity tag
// its weak form, leaves or removes it; what is no entity tag has no weak form
// and is removed as well.
bool EditETag(ngx_http_request_t* r) noexcept;

// Whether a negotiated response says so: `compress_vary`, or else gzip_vary.
bool AddsVary(ngx_http_request_t* r) noexcept;

// Says by Vary that the coding of this response was negotiated, when AddsVary.
// Never twice, whoever said it first.
bool FlagVary(ngx_http_request_t* r) noexcept;

}  // namespace sidepress
