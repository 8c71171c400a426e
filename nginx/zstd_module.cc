// Zstandard's modules, under the names of tokers/zstd-nginx-module's.
#include "zstd/zstd_codec.h"

#include "nginx/codec_module.h"
#include "nginx/zstd_dictionary_file.h"

namespace sidepress {
namespace {

const ValueRange kLevels = {codecs::kZstdMinLevel, codecs::kZstdMaxLevel,
                            "a level from -131072 to 22 other than 0"};
const ValueRange kWindowLogs = {codecs::kZstdMinWindowLog,
                                codecs::kZstdMaxWindowLog,
                                "a number from 10 to 23"};
// What libzstd takes.
const ValueRange kBlockSizes = {1340, 128 * kKilo, "a size from 1340 to 128k"};

char* SetBlockSize(ngx_conf_t* cf, ngx_command_t* command,
                   void* conf) noexcept {
  char* result = SetSize(cf, command, conf);
  if (result == NGX_CONF_OK && !codecs::ZstdHasTargetBlockSize()) {
    ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                       "\"zstd_target_cblock_size\" has no effect: this "
                       "module uses a libzstd without it (before 1.5.6)");
  }
  return result;
}

ngx_command_t commands[] = {
    SIDEPRESS_CODEC_COMMANDS("zstd"),
    LocationCommand(ngx_string("zstd_comp_level"), NGX_CONF_TAKE1, SetLevel, 0,
                    Post(kLevels)),
    LocationCommand(ngx_string("zstd_window_log"), NGX_CONF_TAKE1, SetNumber,
                    offsetof(CodecLocConf, window_log), Post(kWindowLogs)),
    LocationCommand(ngx_string("zstd_long"), NGX_CONF_TAKE1, SetFlag,
                    offsetof(CodecLocConf, long_distance)),
    LocationCommand(ngx_string("zstd_target_cblock_size"), NGX_CONF_TAKE1,
                    SetBlockSize, offsetof(CodecLocConf, target_block_size),
                    Post(kBlockSizes)),
    MainCommand(ngx_string("zstd_dict_file"), SetDictionaryFile, 0),
    ngx_null_command,
};

ngx_command_t static_commands[] = {
    SIDEPRESS_STATIC_COMMANDS("zstd"),
    ngx_null_command,
};

char* Merge(ngx_conf_t* cf, void* parent, void* child) noexcept {
  char* result = MergeCodec<kZstdRow>(cf, parent, child);
  if (result != NGX_CONF_OK) return result;
  return PrepareDictionary(cf, *static_cast<CodecLocConf*>(child));
}

ngx_http_module_t context = [] {
  ngx_http_module_t codec = CodecContext<kZstdRow>();
  codec.create_main_conf = CreateZstdMainConf;
  codec.merge_loc_conf = Merge;
  return codec;
}();
ngx_http_module_t static_context = StaticContext();

}  // namespace
}  // namespace sidepress

ngx_module_t ngx_http_zstd_filter_module =
    sidepress::HttpModule(&sidepress::context, sidepress::commands);
ngx_module_t ngx_http_zstd_static_module = sidepress::HttpModule(
    &sidepress::static_context, sidepress::static_commands);
