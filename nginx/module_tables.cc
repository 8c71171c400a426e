#include "nginx/module_tables.h"

#include "nginx/codec_table.h"
#include "nginx/configuration.h"
#include "nginx/filter.h"
#include "nginx/static_handler.h"
#include "nginx/variables.h"
#include "nginx/worker_state.h"

namespace sidepress {
namespace {

template <std::size_t kRow>
char* MergeCodec(ngx_conf_t* cf, void* parent, void* child) noexcept {
  return MergeCodecLocConf(cf, *static_cast<CodecLocConf*>(parent),
                           *static_cast<CodecLocConf*>(child), Codecs()[kRow]);
}

ngx_int_t InstallHandlers(ngx_conf_t* cf) noexcept {
  InstallFilter();
  return InstallStaticHandler(cf);
}

ngx_http_module_t sidepress_context = {
    AddVariables,
    InstallHandlers,
    CreateSidepressMainConf,
    InitSidepressMainConf,
    nullptr,
    nullptr,
    CreateSidepressLocConf,
    MergeSidepressLocConf,
};

ngx_http_module_t brotli_filter_context = {
    nullptr, nullptr, CreateCodecMainConf, InitCodecMainConf,
    nullptr, nullptr, CreateCodecLocConf,  MergeCodec<kBrotliRow>,
};

ngx_http_module_t brotli_static_context = {
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    CreateStaticLocConf,
    MergeStaticLocConf,
};

constexpr ngx_module_t HttpModule(
    ngx_http_module_t* context, ngx_command_t* commands,
    ngx_int_t (*init_process)(ngx_cycle_t*) = nullptr) noexcept {
  return {NGX_MODULE_V1,
          context,
          commands,
          NGX_HTTP_MODULE,
          nullptr,  // init master
          nullptr,  // init module
          init_process,
          nullptr,  // init thread
          nullptr,  // exit thread
          nullptr,  // exit process
          nullptr,  // exit master
          NGX_MODULE_V1_PADDING};
}

}  // namespace
}  // namespace sidepress

// Nothing is undone when a worker exits: its memory goes with the process.
ngx_module_t ngx_http_sidepress_module =
    sidepress::HttpModule(&sidepress::sidepress_context,
                          sidepress::kSidepressCommands, sidepress::InitWorker);

ngx_module_t ngx_http_brotli_filter_module = sidepress::HttpModule(
    &sidepress::brotli_filter_context, sidepress::kBrotliCommands);

ngx_module_t ngx_http_brotli_static_module = sidepress::HttpModule(
    &sidepress::brotli_static_context, sidepress::kBrotliStaticCommands);
