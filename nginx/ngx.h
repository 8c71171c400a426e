// The only place where NGINX's headers are included.
#pragma once

extern "C" {
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

// NGINX leaves it out when it has neither --with-threads nor --with-compat.
typedef struct ngx_thread_pool_s ngx_thread_pool_t;
}

#if (nginx_version < 1018000)
#error "Sidepress needs NGINX 1.18.0 or newer"
#endif
