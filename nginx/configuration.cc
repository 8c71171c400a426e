#include "nginx/configuration.h"

#include "http_policy/proxied_requests.h"
#include "http_policy/response_eligibility.h"
#include "nginx/gzip_peer.h"

namespace sidepress {
namespace {

template <typename T>
T* Allocate(ngx_conf_t* cf) noexcept {
  return static_cast<T*>(ngx_pcalloc(cf->pool, sizeof(T)));
}

constexpr size_t kPage = 4096;

// gzip's rule: 128 KiB of the size of a page each.
ngx_bufs_t DefaultBuffers() noexcept {
  const size_t page = ngx_pagesize > kPage ? 2 * kPage : kPage;
  return {static_cast<ngx_int_t>(128 * 1024 / page), page};
}

// Keys of types live in NGINX's temporary pool: it needs their hash only.
// Returns: false when memory is refused.
bool KeepTypes(ngx_conf_t* cf, ngx_array_t*& types) noexcept {
  if (types == nullptr || types == kAnyType) return true;
  ngx_array_t* kept = ngx_array_create(cf->pool, types->nelts, types->size);
  if (kept == nullptr) return false;
  ngx_memcpy(kept->elts, types->elts, types->nelts * types->size);
  kept->nelts = types->nelts;
  types = kept;
  return true;
}

// The gzip_types that a location sets itself, or inherits. Merging copies
// NGINX's hash and not the keys, so their way down is followed here.
// Returns: false when memory is refused.
bool MergeGzipTypes(ngx_conf_t* cf, const SidepressLocConf& parent,
                    SidepressLocConf& child) noexcept {
  child.gzip_types =
      GzipTypesSetIn(static_cast<ngx_http_conf_ctx_t*>(cf->ctx)->loc_conf);
  if (child.gzip_types == nullptr && parent.gzip_types != nullptr) {
    child.gzip_types = parent.gzip_types;
    return true;
  }
  if (child.gzip_types == nullptr) {
    child.gzip_types = GzipTypesSetIn(
        static_cast<SidepressMainConf*>(
            ngx_http_conf_get_module_main_conf(cf, ngx_http_sidepress_module))
            ->http_loc_conf);
  }
  return KeepTypes(cf, child.gzip_types);
}

// What only a location knows of `aio threads`: its pool reads files too.
void NotePoolOfAio(ngx_conf_t* cf) noexcept {
#if (NGX_THREADS)
  auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  if (core->aio != NGX_HTTP_AIO_THREADS) return;
  auto* conf = static_cast<SidepressMainConf*>(
      ngx_http_conf_get_module_main_conf(cf, ngx_http_sidepress_module));
  auto* pools = static_cast<PoolUse*>(conf->pools->elts);
  for (ngx_uint_t i = 0; i < conf->pools->nelts; ++i) {
    // A name made of variables can be any pool's.
    if (core->thread_pool == nullptr || core->thread_pool == pools[i].pool) {
      pools[i].shared = true;
    }
  }
#else
  static_cast<void>(cf);
#endif
}

}  // namespace

void* CreateSidepressMainConf(ngx_conf_t* cf) noexcept {
  auto* conf = Allocate<SidepressMainConf>(cf);
  if (conf == nullptr) return nullptr;
  conf->thread_priority = NGX_CONF_UNSET_UINT;
  // While servers are merged, NGINX puts theirs in its place.
  conf->http_loc_conf = reinterpret_cast<ngx_http_conf_ctx_t*>(
                            ngx_get_conf(cf->cycle->conf_ctx, ngx_http_module))
                            ->loc_conf;
  conf->pools = ngx_array_create(cf->pool, 4, sizeof(PoolUse));
  return conf->pools == nullptr ? nullptr : conf;
}

char* InitSidepressMainConf(ngx_conf_t*, void* conf) noexcept {
  auto* main = static_cast<SidepressMainConf*>(conf);
  ngx_conf_init_uint_value(main->thread_priority,
                           static_cast<ngx_uint_t>(ThreadPriority::kIdle));
  return NGX_CONF_OK;
}

void* CreateSidepressLocConf(ngx_conf_t* cf) noexcept {
  auto* conf = Allocate<SidepressLocConf>(cf);
  if (conf == nullptr) return nullptr;
  conf->statuses = static_cast<ngx_array_t*>(NGX_CONF_UNSET_PTR);
  conf->vary = NGX_CONF_UNSET;
  conf->proxied = NGX_CONF_UNSET_UINT;
  conf->no_transform = NGX_CONF_UNSET;
  conf->etag = NGX_CONF_UNSET_UINT;
  return conf;
}

char* MergeSidepressLocConf(ngx_conf_t* cf, void* parent_conf,
                            void* child_conf) noexcept {
  const auto& parent = *static_cast<SidepressLocConf*>(parent_conf);
  auto& child = *static_cast<SidepressLocConf*>(child_conf);
  NotePoolOfAio(cf);
  if (!MergeGzipTypes(cf, parent, child)) {
    return static_cast<char*>(NGX_CONF_ERROR);
  }
  // Not set anywhere: the election falls back on its default.
  if (child.prefer.size == 0) child.prefer = parent.prefer;
  ngx_conf_merge_ptr_value(child.statuses, parent.statuses, nullptr);
  ngx_conf_merge_value(child.vary, parent.vary, NGX_CONF_UNSET);
  ngx_conf_merge_uint_value(child.proxied, parent.proxied,
                            http_policy::kProxiedAny);
  ngx_conf_merge_value(child.no_transform, parent.no_transform, 0);
  ngx_conf_merge_uint_value(child.etag, parent.etag,
                            static_cast<ngx_uint_t>(ETagPolicy::kWeak));
  return NGX_CONF_OK;
}

std::span<const int> StatusesOf(const SidepressLocConf& conf) noexcept {
  if (conf.statuses == nullptr) return http_policy::kDefaultStatuses;
  return {static_cast<const int*>(conf.statuses->elts), conf.statuses->nelts};
}

void* CreateCodecMainConf(ngx_conf_t* cf) noexcept {
  auto* conf = Allocate<CodecMainConf>(cf);
  if (conf != nullptr) ResetCodecMainConf(*conf);
  return conf;
}

void ResetCodecMainConf(CodecMainConf& conf) noexcept {
  conf.idle_encoders = NGX_CONF_UNSET;
  conf.parallel_compressors = NGX_CONF_UNSET;
}

char* InitCodecMainConf(ngx_conf_t*, void* conf) noexcept {
  auto* main = static_cast<CodecMainConf*>(conf);
  ngx_conf_init_value(main->idle_encoders, 4);
  ngx_conf_init_value(main->parallel_compressors, 4);
  return NGX_CONF_OK;
}

void* CreateCodecLocConf(ngx_conf_t* cf) noexcept {
  auto* conf = Allocate<CodecLocConf>(cf);
  if (conf == nullptr) return nullptr;
  conf->enable = NGX_CONF_UNSET;
  conf->level = kLevelUnset;
  conf->window_log = NGX_CONF_UNSET;
  conf->long_distance = NGX_CONF_UNSET;
  conf->target_block_size = NGX_CONF_UNSET_SIZE;
  conf->min_length = NGX_CONF_UNSET;
  conf->max_length = NGX_CONF_UNSET;
  conf->reuse_memory = NGX_CONF_UNSET;
  conf->retention = NGX_CONF_UNSET_UINT;
  conf->segment_size = NGX_CONF_UNSET_SIZE;
  conf->parallel_tasks = NGX_CONF_UNSET;
  conf->pool_set = NGX_CONF_UNSET;
  conf->bypass = static_cast<ngx_array_t*>(NGX_CONF_UNSET_PTR);
  return conf;
}

char* MergeCodecLocConf(ngx_conf_t* cf, CodecLocConf& parent,
                        CodecLocConf& child, const CodecRow& row) noexcept {
  ngx_conf_merge_value(child.enable, parent.enable, 0);
  if (child.level == kLevelUnset) child.level = parent.level;
  if (child.level == kLevelUnset) child.level = row.default_level;
  ngx_conf_merge_value(child.window_log, parent.window_log,
                       row.default_window_log);
  ngx_conf_merge_value(child.long_distance, parent.long_distance, 0);
  ngx_conf_merge_size_value(child.target_block_size, parent.target_block_size,
                            0);
  ngx_conf_merge_off_value(child.min_length, parent.min_length, 20);
  ngx_conf_merge_off_value(child.max_length, parent.max_length, 0);
  const ngx_bufs_t buffers = DefaultBuffers();
  ngx_conf_merge_bufs_value(child.buffers, parent.buffers, buffers.num,
                            buffers.size);
  ngx_conf_merge_value(child.reuse_memory, parent.reuse_memory, 1);
  if (child.retention == NGX_CONF_UNSET_UINT) {
    child.retention = parent.retention;
    child.retention_bound = parent.retention_bound;
  }
  if (child.retention == NGX_CONF_UNSET_UINT) {
    child.retention =
        static_cast<ngx_uint_t>(engine::RetentionPolicy::Kind::kAggressive);
  }
  ngx_conf_merge_size_value(child.segment_size, parent.segment_size,
                            1024 * 1024);
  ngx_conf_merge_value(child.parallel_tasks, parent.parallel_tasks, 4);
  if (child.pool_set == NGX_CONF_UNSET && parent.pool_set != NGX_CONF_UNSET) {
    child.pool_set = parent.pool_set;
    child.pool = parent.pool;
  }
  ngx_conf_merge_ptr_value(child.bypass, parent.bypass, nullptr);
  return ngx_http_merge_types(cf, &child.types_keys, &child.types,
                              &parent.types_keys, &parent.types,
                              ngx_http_html_default_types);
}

void* CreateStaticLocConf(ngx_conf_t* cf) noexcept {
  auto* conf = Allocate<StaticLocConf>(cf);
  if (conf != nullptr) conf->mode = NGX_CONF_UNSET_UINT;
  return conf;
}

char* MergeStaticLocConf(ngx_conf_t*, void* parent, void* child) noexcept {
  ngx_conf_merge_uint_value(static_cast<StaticLocConf*>(child)->mode,
                            static_cast<StaticLocConf*>(parent)->mode,
                            static_cast<ngx_uint_t>(StaticMode::kOff));
  return NGX_CONF_OK;
}

}  // namespace sidepress
