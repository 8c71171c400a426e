#include "nginx/zstd_dictionary_file.h"

#include "nginx/module_tables.h"
#include "zstd/zstd_dictionary.h"

namespace sidepress {
namespace {

constexpr off_t kMostBytes = 16 * 1024 * 1024;

struct PreparedLevel {
  ngx_int_t level;
  codecs::ZstdDictionary* dictionary;
};

struct ZstdMainConf : CodecMainConf {
  ngx_str_t path;  // no data: no dictionary
  ngx_str_t bytes;
  ngx_array_t* levels;  // of PreparedLevel
};

char* Failed() noexcept { return static_cast<char*>(NGX_CONF_ERROR); }

char* Refuse(ngx_conf_t* cf, ngx_err_t error, const ngx_str_t& path) noexcept {
  ngx_conf_log_error(NGX_LOG_EMERG, cf, error,
                     "\"zstd_dict_file\" must be a readable file of 1 byte to "
                     "16m, got \"%V\"",
                     &path);
  return Failed();
}

bool ReadAll(ngx_fd_t file, ngx_str_t& bytes) noexcept {
  size_t done = 0;
  while (done < bytes.len) {
    const ssize_t got = ngx_read_fd(file, bytes.data + done, bytes.len - done);
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

char* ReadFrom(ngx_conf_t* cf, ngx_fd_t file, ZstdMainConf& main) noexcept {
  ngx_file_info_t info;
  if (ngx_fd_info(file, &info) == NGX_FILE_ERROR) {
    return Refuse(cf, ngx_errno, main.path);
  }
  const off_t size = ngx_file_size(&info);
  if (!ngx_is_file(&info) || size < 1 || size > kMostBytes) {
    return Refuse(cf, 0, main.path);
  }
  main.bytes.len = static_cast<size_t>(size);
  main.bytes.data = static_cast<u_char*>(ngx_pnalloc(cf->pool, main.bytes.len));
  if (main.bytes.data == nullptr) return Failed();
  return ReadAll(file, main.bytes) ? NGX_CONF_OK
                                   : Refuse(cf, ngx_errno, main.path);
}

// Of the pool of the configuration: workers that still use it have a copy.
void DisposeAll(void* data) noexcept {
  auto* levels = static_cast<ngx_array_t*>(data);
  auto* prepared = static_cast<PreparedLevel*>(levels->elts);
  for (ngx_uint_t i = 0; i < levels->nelts; ++i) {
    prepared[i].dictionary->Dispose();
  }
}

PreparedLevel* Find(const ZstdMainConf& main, ngx_int_t level) noexcept {
  auto* prepared = static_cast<PreparedLevel*>(main.levels->elts);
  for (ngx_uint_t i = 0; i < main.levels->nelts; ++i) {
    if (prepared[i].level == level) return &prepared[i];
  }
  return nullptr;
}

}  // namespace

void* CreateZstdMainConf(ngx_conf_t* cf) noexcept {
  auto* main =
      static_cast<ZstdMainConf*>(ngx_pcalloc(cf->pool, sizeof(ZstdMainConf)));
  if (main == nullptr) return nullptr;
  ResetCodecMainConf(*main);
  main->levels = ngx_array_create(cf->pool, 4, sizeof(PreparedLevel));
  ngx_pool_cleanup_t* cleanup = ngx_pool_cleanup_add(cf->pool, 0);
  if (main->levels == nullptr || cleanup == nullptr) return nullptr;
  cleanup->data = main->levels;
  cleanup->handler = DisposeAll;
  return main;
}

char* SetDictionaryFile(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  static char duplicate[] = "is duplicate";
  auto& main = *static_cast<ZstdMainConf*>(conf);
  if (main.path.data != nullptr) return duplicate;
  main.path = static_cast<ngx_str_t*>(cf->args->elts)[1];
  if (main.path.len == 0) return Refuse(cf, 0, main.path);
  if (ngx_conf_full_name(cf->cycle, &main.path, 1) != NGX_OK) return Failed();
  const ngx_fd_t file =
      ngx_open_file(main.path.data, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);
  if (file == NGX_INVALID_FILE) return Refuse(cf, ngx_errno, main.path);
  char* result = ReadFrom(cf, file, main);
  ngx_close_file(file);
  return result;
}

char* PrepareDictionary(ngx_conf_t* cf, CodecLocConf& location) noexcept {
  auto& main = *static_cast<ZstdMainConf*>(
      ngx_http_conf_get_module_main_conf(cf, ngx_http_zstd_filter_module));
  if (main.bytes.data == nullptr || location.enable != 1) return NGX_CONF_OK;
  PreparedLevel* prepared = Find(main, location.level);
  if (prepared == nullptr) {
    const char* reason = "";
    codecs::ZstdDictionary* dictionary = codecs::ZstdDictionary::Create(
        {main.bytes.data, main.bytes.len}, static_cast<int>(location.level),
        &reason);
    if (dictionary == nullptr) {
      ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                         "\"zstd_dict_file\" must be a zstd dictionary, got "
                         "\"%V\": %s",
                         &main.path, reason);
      return Failed();
    }
    prepared = static_cast<PreparedLevel*>(ngx_array_push(main.levels));
    if (prepared == nullptr) {
      dictionary->Dispose();
      return Failed();
    }
    *prepared = {location.level, dictionary};
  }
  location.dictionary = prepared->dictionary;
  return NGX_CONF_OK;
}

}  // namespace sidepress
