/*
 * The three arrays that NGINX looks up by name in a dynamic module; nothing
 * else is exported (exports.map).
 */
#include <ngx_config.h>
#include <ngx_core.h>

#define SIDEPRESS_EXPORT __attribute__((visibility("default")))

extern ngx_module_t ngx_http_sidepress_module;
extern ngx_module_t ngx_http_brotli_filter_module;
extern ngx_module_t ngx_http_brotli_static_module;
extern ngx_module_t ngx_http_zstd_filter_module;
extern ngx_module_t ngx_http_zstd_static_module;

extern ngx_module_t *ngx_modules[];
extern char *ngx_module_names[];
extern char *ngx_module_order[];

SIDEPRESS_EXPORT ngx_module_t *ngx_modules[] = {
    &ngx_http_sidepress_module,
#if (SIDEPRESS_WITH_BROTLI)
    &ngx_http_brotli_filter_module,
    &ngx_http_brotli_static_module,
#endif
#if (SIDEPRESS_WITH_ZSTD)
    &ngx_http_zstd_filter_module,
    &ngx_http_zstd_static_module,
#endif
    NULL
};

SIDEPRESS_EXPORT char *ngx_module_names[] = {
    "ngx_http_sidepress_module",
#if (SIDEPRESS_WITH_BROTLI)
    "ngx_http_brotli_filter_module",
    "ngx_http_brotli_static_module",
#endif
#if (SIDEPRESS_WITH_ZSTD)
    "ngx_http_zstd_filter_module",
    "ngx_http_zstd_static_module",
#endif
    NULL
};

/*
 * A module is put before the first of those that follow it here. Filters run
 * from the last module to the first, so ours sees the body after postpone has
 * put the subrequests into order and SSI, charset, sub, addition and gunzip
 * have changed it, and before gzip and the range filter.
 */
SIDEPRESS_EXPORT char *ngx_module_order[] = {
    "ngx_http_sidepress_module",
    "ngx_http_postpone_filter_module",
    "ngx_http_ssi_filter_module",
    "ngx_http_charset_filter_module",
    "ngx_http_xslt_filter_module",
    "ngx_http_image_filter_module",
    "ngx_http_sub_filter_module",
    "ngx_http_addition_filter_module",
    "ngx_http_gunzip_filter_module",
    "ngx_http_userid_filter_module",
    "ngx_http_headers_filter_module",
    "ngx_http_copy_filter_module",
    "ngx_http_range_body_filter_module",
    "ngx_http_not_modified_filter_module",
    "ngx_http_slice_filter_module",
    NULL
};
