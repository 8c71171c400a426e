// The modules that NGINX sees: two for each codec, under the names of the
// modules that they replace, and one that holds what the codecs share.
#pragma once

#include "nginx/ngx.h"

extern "C" {
extern ngx_module_t ngx_http_sidepress_module;
extern ngx_module_t ngx_http_brotli_filter_module;
extern ngx_module_t ngx_http_brotli_static_module;
}
