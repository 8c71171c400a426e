#include "nginx/accepted_codings.h"

#include <string_view>

namespace sidepress {
namespace {

bool IsAcceptEncoding(const ngx_table_elt_t& header) noexcept {
  constexpr std::string_view kName = "accept-encoding";
  return header.key.len == kName.size() && header.lowcase_key != nullptr &&
         ngx_memcmp(header.lowcase_key, kName.data(), kName.size()) == 0;
}

}  // namespace

http_policy::AcceptedCodings AcceptedCodingsOf(ngx_http_request_t* r) noexcept {
  http_policy::AcceptedCodings accepted;
  for (ngx_list_part_t* part = &r->headers_in.headers.part; part != nullptr;
       part = part->next) {
    auto* headers = static_cast<ngx_table_elt_t*>(part->elts);
    for (ngx_uint_t i = 0; i < part->nelts; ++i) {
      if (!IsAcceptEncoding(headers[i])) continue;
      accepted.AddLine({reinterpret_cast<const char*>(headers[i].value.data),
                        headers[i].value.len});
    }
  }
  return accepted;
}

}  // namespace sidepress
