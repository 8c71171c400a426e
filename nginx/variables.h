// The variables of this module.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

// As ngx_http_module_t's `preconfiguration` takes it.
ngx_int_t AddVariables(ngx_conf_t* cf) noexcept;

}  // namespace sidepress
