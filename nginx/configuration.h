// What the directives set, and how levels of nesting merge.
// Thread: loop; constant once NGINX has read its configuration.
#pragma once

#include <span>

#include "compression_engine/arena.h"
#include "http_policy/coding_election.h"
#include "nginx/codec_table.h"
#include "nginx/module_tables.h"
#include "nginx/ngx.h"

namespace sidepress {

// One codec, http level.
struct CodecMainConf {
  ngx_int_t idle_encoders;
  ngx_int_t parallel_compressors;
};

// No level: every other number may be one.
inline constexpr ngx_int_t kLevelUnset = NGX_MAX_INT_T_VALUE;

// One codec, each location.
struct CodecLocConf {
  ngx_flag_t enable;
  ngx_hash_t types;
  ngx_array_t* types_keys;
  ngx_int_t level;
  ngx_int_t window_log;
  ngx_flag_t long_distance;
  size_t target_block_size;
  const engine::Dictionary* dictionary;
  off_t min_length;
  off_t max_length;  // 0: none
  ngx_bufs_t buffers;
  ngx_flag_t reuse_memory;
  ngx_uint_t retention;  // engine::RetentionPolicy::Kind
  size_t retention_bound;
  ngx_flag_t pool_set;
  ngx_thread_pool_t* pool;  // nullptr: compress on the event loop
  size_t segment_size;
  ngx_int_t parallel_tasks;
  ngx_array_t* bypass;
};

enum class StaticMode : ngx_uint_t { kOff, kOn, kAlways };

struct StaticLocConf {
  ngx_uint_t mode;  // StaticMode
};

enum class ThreadPriority : ngx_uint_t { kNormal, kLow, kIdle };

// A thread pool that a location compresses on.
struct PoolUse {
  ngx_thread_pool_t* pool;
  ngx_str_t name;
  bool shared;  // does other work as well: its priority is left alone
};

struct SidepressMainConf {
  ngx_uint_t thread_priority;  // ThreadPriority
  ngx_array_t* pools;          // of PoolUse
  void** http_loc_conf;        // what is set at the http level, by module
};

// What becomes of the ETag of a response that is compressed on the fly.
enum class ETagPolicy : ngx_uint_t { kWeak, kKeep, kStrip };

// `compress_prefer`: as many codings as were named.
struct Preference {
  http_policy::Coding codings[http_policy::kDefaultPreference.size()];
  ngx_uint_t size;  // 0: not set

  std::span<const http_policy::Coding> All() const noexcept {
    return {codings, size};
  }
};

// Shared by the codecs, each location.
struct SidepressLocConf {
  Preference prefer;
  ngx_array_t* gzip_types;  // the keys that hold here
  ngx_array_t* statuses;    // of int; nullptr: http_policy::kDefaultStatuses
  ngx_flag_t vary;          // NGX_CONF_UNSET: follows gzip_vary
  ngx_uint_t proxied;       // a sum of http_policy::ProxiedCondition
  ngx_flag_t no_transform;
  ngx_uint_t etag;  // ETagPolicy
};

// Creation and merging, as ngx_http_module_t takes them.
void* CreateSidepressMainConf(ngx_conf_t* cf) noexcept;
char* InitSidepressMainConf(ngx_conf_t* cf, void* conf) noexcept;
void* CreateSidepressLocConf(ngx_conf_t* cf) noexcept;
char* MergeSidepressLocConf(ngx_conf_t* cf, void* parent, void* child) noexcept;
void* CreateCodecMainConf(ngx_conf_t* cf) noexcept;
void ResetCodecMainConf(CodecMainConf& conf) noexcept;  // nothing is set
char* InitCodecMainConf(ngx_conf_t* cf, void* conf) noexcept;
void* CreateCodecLocConf(ngx_conf_t* cf) noexcept;
char* MergeCodecLocConf(ngx_conf_t* cf, CodecLocConf& parent,
                        CodecLocConf& child, const CodecRow& row) noexcept;
void* CreateStaticLocConf(ngx_conf_t* cf) noexcept;
char* MergeStaticLocConf(ngx_conf_t* cf, void* parent, void* child) noexcept;

inline CodecLocConf& LocConfOf(ngx_http_request_t* r,
                               const CodecRow& row) noexcept {
  return *static_cast<CodecLocConf*>(
      ngx_http_get_module_loc_conf(r, row.filter_module));
}

inline SidepressLocConf& SharedConfOf(ngx_http_request_t* r) noexcept {
  return *static_cast<SidepressLocConf*>(
      ngx_http_get_module_loc_conf(r, ngx_http_sidepress_module));
}

std::span<const int> StatusesOf(const SidepressLocConf& conf) noexcept;

}  // namespace sidepress
