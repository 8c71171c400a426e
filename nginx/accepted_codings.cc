#include "nginx/accepted_codings.h"

#include "nginx/header_lines.h"

namespace sidepress {

http_policy::AcceptedCodings AcceptedCodingsOf(ngx_http_request_t* r) noexcept {
  http_policy::AcceptedCodings accepted;
  HeaderLines lines(r->headers_in.headers, "accept-encoding");
  while (const ngx_table_elt_t* line = lines.Next()) {
    accepted.AddLine(ViewOf(line->value));
  }
  return accepted;
}

}  // namespace sidepress
