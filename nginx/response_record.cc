#include "nginx/response_record.h"

#include "nginx/module_tables.h"

namespace sidepress {

ResponseRecord* FindRecord(ngx_http_request_t* r) noexcept {
  return static_cast<ResponseRecord*>(
      ngx_http_get_module_ctx(r->main, ngx_http_sidepress_module));
}

ResponseRecord* MakeRecord(ngx_http_request_t* r) noexcept {
  ResponseRecord* record = FindRecord(r);
  if (record != nullptr) return record;
  record = static_cast<ResponseRecord*>(
      ngx_pcalloc(r->main->pool, sizeof(ResponseRecord)));
  ngx_http_set_ctx(r->main, record, ngx_http_sidepress_module);
  return record;
}

}  // namespace sidepress
