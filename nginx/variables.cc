#include "nginx/variables.h"

#include "http_policy/response_headers.h"
#include "nginx/codec_table.h"
#include "nginx/module_tables.h"
#include "nginx/request_stream.h"

namespace sidepress {
namespace {

// `data`: the row of the codec. "-" for a response that was not compressed
// by it, or not to its end.
ngx_int_t GetRatio(ngx_http_request_t* r, ngx_http_variable_value_t* value,
                   uintptr_t data) noexcept {
  const CodecRow& row = Codecs()[data];
  const auto* stream = static_cast<const RequestStream*>(
      ngx_http_get_module_ctx(r->main, ngx_http_sidepress_module));
  const bool known =
      stream != nullptr && &stream->row() == &row && stream->complete();
  const std::size_t size = http_policy::RatioSize(row.ratio_decimals);
  auto* storage = static_cast<char*>(ngx_pnalloc(r->pool, size));
  if (storage == nullptr) return NGX_ERROR;
  const std::string_view text = http_policy::FormatRatio(
      known ? stream->bytes_in() : 0, known ? stream->bytes_out() : 0,
      row.ratio_decimals, {storage, size});
  value->data = reinterpret_cast<u_char*>(const_cast<char*>(text.data()));
  value->len = static_cast<unsigned>(text.size()) & 0xfffffffu;
  value->valid = 1;
  value->no_cacheable = 1;
  value->not_found = 0;
  return NGX_OK;
}

ngx_http_variable_t kVariables[] = {
    {ngx_string("brotli_ratio"), nullptr, GetRatio, kBrotliRow,
     NGX_HTTP_VAR_NOCACHEABLE, 0},
};

}  // namespace

ngx_int_t AddVariables(ngx_conf_t* cf) noexcept {
  for (ngx_http_variable_t& variable : kVariables) {
    ngx_http_variable_t* added =
        ngx_http_add_variable(cf, &variable.name, variable.flags);
    if (added == nullptr) return NGX_ERROR;
    added->get_handler = variable.get_handler;
    added->data = variable.data;
  }
  return NGX_OK;
}

}  // namespace sidepress
