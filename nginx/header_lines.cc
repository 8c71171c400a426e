#include "nginx/header_lines.h"

#include "http_policy/header_lexer.h"

namespace sidepress {

ngx_table_elt_t* HeaderLines::Next() noexcept {
  for (; part_ != nullptr; part_ = part_->next, at_ = 0) {
    auto* lines = static_cast<ngx_table_elt_t*>(part_->elts);
    while (at_ < part_->nelts) {
      ngx_table_elt_t& line = lines[at_++];
      if (line.hash != 0 &&
          http_policy::EqualsIgnoringCase(ViewOf(line.key), name_)) {
        return &line;
      }
    }
  }
  return nullptr;
}

}  // namespace sidepress
