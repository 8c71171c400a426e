// How the tables of directives are written. What each directive means is in
// docs/directives.md.
#pragma once

#include <cstddef>

#include "nginx/configuration.h"
#include "nginx/directive_setters.h"
#include "nginx/ngx.h"

namespace sidepress {

inline constexpr off_t kKilo = 1024;
inline constexpr off_t kMega = 1024 * kKilo;

// ngx_command_t's `post` is not const, though nobody writes to it.
template <typename T>
void* Post(const T& value) noexcept {
  return const_cast<T*>(&value);
}

using Setter = char* (*)(ngx_conf_t*, ngx_command_t*, void*);

constexpr ngx_command_t LocationCommand(ngx_str_t name, ngx_uint_t arguments,
                                        Setter set, ngx_uint_t offset,
                                        void* post = nullptr) noexcept {
  return {
      name,
      NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF | arguments,
      set,
      NGX_HTTP_LOC_CONF_OFFSET,
      offset,
      post};
}

constexpr ngx_command_t MainCommand(ngx_str_t name, Setter set,
                                    ngx_uint_t offset,
                                    void* post = nullptr) noexcept {
  return {name,   NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1,
          set,    NGX_HTTP_MAIN_CONF_OFFSET,
          offset, post};
}

}  // namespace sidepress
