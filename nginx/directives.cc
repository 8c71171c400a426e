// The tables of directives. What each means is in docs/directives.md.
#include <cstddef>

#include "http_policy/proxied_requests.h"
#include "nginx/configuration.h"
#include "nginx/directive_setters.h"

namespace sidepress {
namespace {

constexpr ngx_uint_t kEverywhere =
    NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF;

constexpr off_t kKilo = 1024;
constexpr off_t kMega = 1024 * kKilo;

const ValueRange kBrotliLevels = {0, 11, "a level from 0 to 11"};
const ValueRange kBrotliWindows = {kKilo, 16 * kMega,
                                   "a power of two between 1k and 16m"};
const ValueRange kLengths = {0, NGX_MAX_OFF_T_VALUE, "a length in bytes"};
const ValueRange kSegments = {64 * kKilo, 16 * kMega, "a size from 64k to 16m"};
const ValueRange kTasks = {1, 1024, "a number from 1 to 1024"};
const ValueRange kEncoders = {0, 1024, "a number from 0 to 1024"};

constexpr NamedValue kStaticNames[] = {
    {"off", static_cast<ngx_uint_t>(StaticMode::kOff)},
    {"on", static_cast<ngx_uint_t>(StaticMode::kOn)},
    {"always", static_cast<ngx_uint_t>(StaticMode::kAlways)},
};
const NamedValues kStaticModes = {kStaticNames,
                                  "\"on\", \"off\" or \"always\""};

constexpr NamedValue kPriorityNames[] = {
    {"normal", static_cast<ngx_uint_t>(ThreadPriority::kNormal)},
    {"low", static_cast<ngx_uint_t>(ThreadPriority::kLow)},
    {"idle", static_cast<ngx_uint_t>(ThreadPriority::kIdle)},
};
const NamedValues kPriorities = {kPriorityNames,
                                 "\"normal\", \"low\" or \"idle\""};

constexpr NamedValue kProxiedNames[] = {
    {"off", http_policy::kProxiedOff},
    {"expired", http_policy::kProxiedExpired},
    {"no-cache", http_policy::kProxiedNoCache},
    {"no-store", http_policy::kProxiedNoStore},
    {"private", http_policy::kProxiedPrivate},
    {"no_last_modified", http_policy::kProxiedNoLastModified},
    {"no_etag", http_policy::kProxiedNoETag},
    {"auth", http_policy::kProxiedAuth},
    {"any", http_policy::kProxiedAny},
};
const NamedValues kProxiedConditions = {
    kProxiedNames,
    "some of \"off\", \"expired\", \"no-cache\", \"no-store\", \"private\", "
    "\"no_last_modified\", \"no_etag\", \"auth\" and \"any\""};

constexpr NamedValue kETagNames[] = {
    {"weak", static_cast<ngx_uint_t>(ETagPolicy::kWeak)},
    {"keep", static_cast<ngx_uint_t>(ETagPolicy::kKeep)},
    {"strip", static_cast<ngx_uint_t>(ETagPolicy::kStrip)},
};
const NamedValues kETagPolicies = {kETagNames,
                                   "\"weak\", \"keep\" or \"strip\""};

// ngx_command_t's `post` is not const, though nobody writes to it.
template <typename T>
void* Post(const T& value) noexcept {
  return const_cast<T*>(&value);
}

using Setter = char* (*)(ngx_conf_t*, ngx_command_t*, void*);

constexpr ngx_command_t Location(ngx_str_t name, ngx_uint_t arguments,
                                 Setter set, ngx_uint_t offset,
                                 void* post = nullptr) noexcept {
  return {name, kEverywhere | arguments, set, NGX_HTTP_LOC_CONF_OFFSET, offset,
          post};
}

constexpr ngx_command_t Main(ngx_str_t name, Setter set, ngx_uint_t offset,
                             void* post) noexcept {
  return {name,   NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1,
          set,    NGX_HTTP_MAIN_CONF_OFFSET,
          offset, post};
}

}  // namespace

ngx_command_t kSidepressCommands[] = {
    Main(ngx_string("compress_thread_priority"), SetNamed,
         offsetof(SidepressMainConf, thread_priority), Post(kPriorities)),
    Location(ngx_string("compress_prefer"), NGX_CONF_1MORE, SetPreference, 0),
    Location(ngx_string("compress_statuses"), NGX_CONF_1MORE, SetStatuses, 0),
    Location(ngx_string("compress_proxied"), NGX_CONF_1MORE, SetMask,
             offsetof(SidepressLocConf, proxied), Post(kProxiedConditions)),
    Location(ngx_string("compress_vary"), NGX_CONF_TAKE1, SetFlag,
             offsetof(SidepressLocConf, vary)),
    Location(ngx_string("compress_no_transform"), NGX_CONF_TAKE1, SetFlag,
             offsetof(SidepressLocConf, no_transform)),
    Location(ngx_string("compress_etag"), NGX_CONF_TAKE1, SetNamed,
             offsetof(SidepressLocConf, etag), Post(kETagPolicies)),
    ngx_null_command,
};

ngx_command_t kBrotliStaticCommands[] = {
    Location(ngx_string("brotli_static"), NGX_CONF_TAKE1, SetNamed,
             offsetof(StaticLocConf, mode), Post(kStaticModes)),
    ngx_null_command,
};

// What every codec has, under its own prefix.
#define SIDEPRESS_CODEC_COMMANDS(prefix, levels)                              \
  Location(ngx_string(prefix), NGX_HTTP_LIF_CONF | NGX_CONF_TAKE1, SetFlag,   \
           offsetof(CodecLocConf, enable)),                                   \
      Location(ngx_string(prefix "_types"), NGX_CONF_1MORE,                   \
               ngx_http_types_slot, offsetof(CodecLocConf, types_keys),       \
               &ngx_http_html_default_types[0]),                              \
      Location(ngx_string(prefix "_comp_level"), NGX_CONF_TAKE1, SetNumber,   \
               offsetof(CodecLocConf, level), Post(levels)),                  \
      Location(ngx_string(prefix "_min_length"), NGX_CONF_TAKE1, SetLength,   \
               offsetof(CodecLocConf, min_length), Post(kLengths)),           \
      Location(ngx_string(prefix "_max_length"), NGX_CONF_TAKE1, SetLength,   \
               offsetof(CodecLocConf, max_length), Post(kLengths)),           \
      Location(ngx_string(prefix "_bypass"), NGX_CONF_1MORE,                  \
               ngx_http_set_predicate_slot, offsetof(CodecLocConf, bypass)),  \
      Location(ngx_string(prefix "_buffers"), NGX_CONF_TAKE2, SetBuffers, 0), \
      Location(ngx_string(prefix "_reuse_memory"), NGX_CONF_TAKE1, SetFlag,   \
               offsetof(CodecLocConf, reuse_memory)),                         \
      Location(ngx_string(prefix "_retention_policy"), NGX_CONF_TAKE12,       \
               SetRetention, 0),                                              \
      Location(ngx_string(prefix "_thread_pool"), NGX_CONF_TAKE1,             \
               SetThreadPool, 0),                                             \
      Location(ngx_string(prefix "_parallel_segment_size"), NGX_CONF_TAKE1,   \
               SetSize, offsetof(CodecLocConf, segment_size),                 \
               Post(kSegments)),                                              \
      Location(ngx_string(prefix "_parallel_tasks"), NGX_CONF_TAKE1,          \
               SetNumber, offsetof(CodecLocConf, parallel_tasks),             \
               Post(kTasks)),                                                 \
      Main(ngx_string(prefix "_idle_encoders"), SetNumber,                    \
           offsetof(CodecMainConf, idle_encoders), Post(kEncoders)),          \
      Main(ngx_string(prefix "_parallel_compressors"), SetNumber,             \
           offsetof(CodecMainConf, parallel_compressors), Post(kEncoders))

ngx_command_t kBrotliCommands[] = {
    SIDEPRESS_CODEC_COMMANDS("brotli", kBrotliLevels),
    Location(ngx_string("brotli_window"), NGX_CONF_TAKE1, SetPowerOfTwo,
             offsetof(CodecLocConf, window_log), Post(kBrotliWindows)),
    ngx_null_command,
};

}  // namespace sidepress
