// The lines of one header, of a request or a response.
#pragma once

#include <string_view>

#include "nginx/ngx.h"

namespace sidepress {

// Walks NGINX's list of headers, which is the same in all its versions; how
// lines of one name are linked besides is not. Removed lines are passed over.
class HeaderLines {
 public:
  // `name`: matched in any case. REQUIRES: `headers` outlives this.
  HeaderLines(const ngx_list_t& headers, std::string_view name) noexcept
      : part_(&headers.part), name_(name) {}

  // Returns: the next line; nullptr when there is none.
  ngx_table_elt_t* Next() noexcept;

 private:
  const ngx_list_part_t* part_;
  ngx_uint_t at_ = 0;
  const std::string_view name_;
};

inline bool HasHeader(const ngx_list_t& headers,
                      std::string_view name) noexcept {
  return HeaderLines(headers, name).Next() != nullptr;
}

inline std::string_view ViewOf(const ngx_str_t& text) noexcept {
  return {reinterpret_cast<const char*>(text.data), text.len};
}

}  // namespace sidepress
