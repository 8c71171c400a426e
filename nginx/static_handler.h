// Serves sidecar files, FILE.br beside FILE, one handler for all codecs.
#pragma once

#include "nginx/ngx.h"

namespace sidepress {

// Adds the handler to the content phase.
ngx_int_t InstallStaticHandler(ngx_conf_t* cf) noexcept;

}  // namespace sidepress
