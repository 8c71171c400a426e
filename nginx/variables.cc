#include "nginx/variables.h"

#include <string_view>

#include "http_policy/response_headers.h"
#include "nginx/codec_table.h"
#include "nginx/request_stream.h"
#include "nginx/response_record.h"

namespace sidepress {
namespace {

constexpr std::string_view kNone = "-";

// REQUIRES: `text` outlives the request.
void SetValue(ngx_http_variable_value_t* value,
              std::string_view text) noexcept {
  value->data = reinterpret_cast<u_char*>(const_cast<char*>(text.data()));
  value->len = static_cast<unsigned>(text.size()) & 0xfffffffu;
  value->valid = 1;
  value->no_cacheable = 1;
  value->not_found = 0;
}

// `data`: the row of the codec. "-" for a response that was not compressed
// by it, or not to its end.
ngx_int_t GetRatio(ngx_http_request_t* r, ngx_http_variable_value_t* value,
                   uintptr_t data) noexcept {
  const CodecRow& row = Codecs()[data];
  const ResponseRecord* record = FindRecord(r);
  const RequestStream* stream = record == nullptr ? nullptr : record->stream;
  if (stream == nullptr || &stream->row() != &row || !stream->complete()) {
    SetValue(value, kNone);
    return NGX_OK;
  }
  const std::size_t size = http_policy::RatioSize(row.ratio_decimals);
  auto* storage = static_cast<char*>(ngx_pnalloc(r->pool, size));
  if (storage == nullptr) return NGX_ERROR;
  SetValue(value,
           http_policy::FormatRatio(stream->bytes_in(), stream->bytes_out(),
                                    row.ratio_decimals, {storage, size}));
  return NGX_OK;
}

ngx_int_t GetCoding(ngx_http_request_t* r, ngx_http_variable_value_t* value,
                    uintptr_t) noexcept {
  const ResponseRecord* record = FindRecord(r);
  const bool known = record != nullptr && record->row != nullptr;
  SetValue(value, known ? record->row->token : kNone);
  return NGX_OK;
}

ngx_int_t GetReason(ngx_http_request_t* r, ngx_http_variable_value_t* value,
                    uintptr_t) noexcept {
  const ResponseRecord* record = FindRecord(r);
  if (record != nullptr) {
    SetValue(value, http_policy::ReasonName(record->reason));
  } else if (r->main->header_sent) {
    SetValue(value, http_policy::ReasonName(http_policy::Reason::kOff));
  } else {
    SetValue(value, kNone);  // there is no response, or not yet
  }
  return NGX_OK;
}

ngx_http_variable_t Variable(ngx_str_t name, ngx_http_get_variable_pt get,
                             uintptr_t data = 0) noexcept {
  return {name, nullptr, get, data, NGX_HTTP_VAR_NOCACHEABLE, 0};
}

const ngx_http_variable_t kVariables[] = {
    Variable(ngx_string("compress_coding"), GetCoding),
    Variable(ngx_string("compress_reason"), GetReason),
};

bool Add(ngx_conf_t* cf, const ngx_http_variable_t& variable) noexcept {
  ngx_str_t name = variable.name;
  ngx_http_variable_t* added = ngx_http_add_variable(cf, &name, variable.flags);
  if (added == nullptr) return false;
  added->get_handler = variable.get_handler;
  added->data = variable.data;
  return true;
}

}  // namespace

ngx_int_t AddVariables(ngx_conf_t* cf) noexcept {
  for (const ngx_http_variable_t& variable : kVariables) {
    if (!Add(cf, variable)) return NGX_ERROR;
  }
  for (std::size_t i = 0; i < kCodecRows; ++i) {
    if (!Add(cf, Variable(Codecs()[i].ratio_variable, GetRatio, i))) {
      return NGX_ERROR;
    }
  }
  return NGX_OK;
}

}  // namespace sidepress
