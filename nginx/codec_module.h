// What every codec has: its directives, each under the codec's own prefix, and
// its two modules.
#pragma once

#include <cstddef>

#include "nginx/commands.h"
#include "nginx/module_tables.h"

namespace sidepress {

inline const ValueRange kLengths = {0, NGX_MAX_OFF_T_VALUE,
                                    "a length in bytes"};
inline const ValueRange kSegments = {64 * kKilo, 16 * kMega,
                                     "a size from 64k to 16m"};
inline const ValueRange kTasks = {1, 1024, "a number from 1 to 1024"};
inline const ValueRange kEncoders = {0, 1024, "a number from 0 to 1024"};

inline constexpr NamedValue kStaticNames[] = {
    {"off", static_cast<ngx_uint_t>(StaticMode::kOff)},
    {"on", static_cast<ngx_uint_t>(StaticMode::kOn)},
    {"always", static_cast<ngx_uint_t>(StaticMode::kAlways)},
};
inline const NamedValues kStaticModes = {kStaticNames,
                                         "\"on\", \"off\" or \"always\""};

// The level and the window, whose ranges differ, are not among them.
#define SIDEPRESS_CODEC_COMMANDS(prefix)                                       \
  LocationCommand(ngx_string(prefix), NGX_HTTP_LIF_CONF | NGX_CONF_TAKE1,      \
                  SetFlag, offsetof(CodecLocConf, enable)),                    \
      LocationCommand(ngx_string(prefix "_types"), NGX_CONF_1MORE,             \
                      ngx_http_types_slot, offsetof(CodecLocConf, types_keys), \
                      &ngx_http_html_default_types[0]),                        \
      LocationCommand(ngx_string(prefix "_min_length"), NGX_CONF_TAKE1,        \
                      SetLength, offsetof(CodecLocConf, min_length),           \
                      Post(kLengths)),                                         \
      LocationCommand(ngx_string(prefix "_max_length"), NGX_CONF_TAKE1,        \
                      SetLength, offsetof(CodecLocConf, max_length),           \
                      Post(kLengths)),                                         \
      LocationCommand(ngx_string(prefix "_bypass"), NGX_CONF_1MORE,            \
                      ngx_http_set_predicate_slot,                             \
                      offsetof(CodecLocConf, bypass)),                         \
      LocationCommand(ngx_string(prefix "_buffers"), NGX_CONF_TAKE2,           \
                      SetBuffers, 0),                                          \
      LocationCommand(ngx_string(prefix "_reuse_memory"), NGX_CONF_TAKE1,      \
                      SetFlag, offsetof(CodecLocConf, reuse_memory)),          \
      LocationCommand(ngx_string(prefix "_retention_policy"), NGX_CONF_TAKE12, \
                      SetRetention, 0),                                        \
      LocationCommand(ngx_string(prefix "_thread_pool"), NGX_CONF_TAKE1,       \
                      SetThreadPool, 0),                                       \
      LocationCommand(ngx_string(prefix "_parallel_segment_size"),             \
                      NGX_CONF_TAKE1, SetSize,                                 \
                      offsetof(CodecLocConf, segment_size), Post(kSegments)),  \
      LocationCommand(ngx_string(prefix "_parallel_tasks"), NGX_CONF_TAKE1,    \
                      SetNumber, offsetof(CodecLocConf, parallel_tasks),       \
                      Post(kTasks)),                                           \
      MainCommand(ngx_string(prefix "_idle_encoders"), SetNumber,              \
                  offsetof(CodecMainConf, idle_encoders), Post(kEncoders)),    \
      MainCommand(ngx_string(prefix "_parallel_compressors"), SetNumber,       \
                  offsetof(CodecMainConf, parallel_compressors),               \
                  Post(kEncoders))

// Rows of the codec's static module.
#define SIDEPRESS_STATIC_COMMANDS(prefix)                                 \
  LocationCommand(ngx_string(prefix "_static"), NGX_CONF_TAKE1, SetNamed, \
                  offsetof(StaticLocConf, mode), Post(kStaticModes))

template <std::size_t kRow>
char* MergeCodec(ngx_conf_t* cf, void* parent, void* child) noexcept {
  return MergeCodecLocConf(cf, *static_cast<CodecLocConf*>(parent),
                           *static_cast<CodecLocConf*>(child), Codecs()[kRow]);
}

template <std::size_t kRow>
constexpr ngx_http_module_t CodecContext() noexcept {
  return {nullptr, nullptr, CreateCodecMainConf, InitCodecMainConf,
          nullptr, nullptr, CreateCodecLocConf,  MergeCodec<kRow>};
}

constexpr ngx_http_module_t StaticContext() noexcept {
  return {nullptr,
          nullptr,
          nullptr,
          nullptr,
          nullptr,
          nullptr,
          CreateStaticLocConf,
          MergeStaticLocConf};
}

}  // namespace sidepress
