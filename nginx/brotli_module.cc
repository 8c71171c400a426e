// Brotli's modules, under the names of google/ngx_brotli's.
#include "nginx/codec_module.h"

namespace sidepress {
namespace {

const ValueRange kLevels = {0, 11, "a level from 0 to 11"};
const ValueRange kWindows = {kKilo, 16 * kMega,
                             "a power of two between 1k and 16m"};

ngx_command_t commands[] = {
    SIDEPRESS_CODEC_COMMANDS("brotli"),
    LocationCommand(ngx_string("brotli_comp_level"), NGX_CONF_TAKE1, SetLevel,
                    0, Post(kLevels)),
    LocationCommand(ngx_string("brotli_window"), NGX_CONF_TAKE1, SetPowerOfTwo,
                    offsetof(CodecLocConf, window_log), Post(kWindows)),
    ngx_null_command,
};

ngx_command_t static_commands[] = {
    SIDEPRESS_STATIC_COMMANDS("brotli"),
    ngx_null_command,
};

ngx_http_module_t context = CodecContext<kBrotliRow>();
ngx_http_module_t static_context = StaticContext();

}  // namespace
}  // namespace sidepress

ngx_module_t ngx_http_brotli_filter_module =
    sidepress::HttpModule(&sidepress::context, sidepress::commands);
ngx_module_t ngx_http_brotli_static_module = sidepress::HttpModule(
    &sidepress::static_context, sidepress::static_commands);
