// `zstd_dict_file`: read with the configuration, prepared once for each level
// that is used, freed with the configuration.
// Thread: loop, while NGINX reads its configuration.
#pragma once

#include "nginx/configuration.h"
#include "nginx/ngx.h"

namespace sidepress {

// As ngx_http_module_t and ngx_command_t take them. The configuration begins
// with a CodecMainConf.
void* CreateZstdMainConf(ngx_conf_t* cf) noexcept;
char* SetDictionaryFile(ngx_conf_t* cf, ngx_command_t* command,
                        void* conf) noexcept;

// Gives a merged location the dictionary of its level, if there is one.
// Returns: NGX_CONF_OK or NGX_CONF_ERROR.
char* PrepareDictionary(ngx_conf_t* cf, CodecLocConf& location) noexcept;

}  // namespace sidepress
