// The modules that NGINX sees: two for each codec that is built in, under the
// names of the modules that they replace, and one that holds what the codecs
// share.
#pragma once

#include "nginx/ngx.h"

extern "C" {
extern ngx_module_t ngx_http_sidepress_module;
extern ngx_module_t ngx_http_brotli_filter_module;
extern ngx_module_t ngx_http_brotli_static_module;
extern ngx_module_t ngx_http_zstd_filter_module;
extern ngx_module_t ngx_http_zstd_static_module;
}

namespace sidepress {

constexpr ngx_module_t HttpModule(
    ngx_http_module_t* context, ngx_command_t* commands,
    ngx_int_t (*init_module)(ngx_cycle_t*) = nullptr,
    ngx_int_t (*init_process)(ngx_cycle_t*) = nullptr) noexcept {
  return {NGX_MODULE_V1,
          context,
          commands,
          NGX_HTTP_MODULE,
          nullptr,  // init master
          init_module,
          init_process,
          nullptr,  // init thread
          nullptr,  // exit thread
          nullptr,  // exit process
          nullptr,  // exit master
          NGX_MODULE_V1_PADDING};
}

}  // namespace sidepress
