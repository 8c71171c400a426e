#include "nginx/static_handler.h"

#include <cstdint>
#include <string_view>

#include "http_policy/accept_encoding.h"
#include "http_policy/coding_election.h"
#include "nginx/accepted_codings.h"
#include "nginx/codec_table.h"
#include "nginx/configuration.h"
#include "nginx/gzip_peer.h"
#include "nginx/log_limit.h"
#include "nginx/module_tables.h"
#include "nginx/negotiation.h"
#include "nginx/response_edits.h"
#include "nginx/response_record.h"

namespace sidepress {
namespace {

StaticMode ModeOf(ngx_http_request_t* r, const CodecRow& row) noexcept {
  return static_cast<StaticMode>(
      static_cast<StaticLocConf*>(
          ngx_http_get_module_loc_conf(r, row.static_module))
          ->mode);
}

ngx_http_core_loc_conf_t* CoreConf(ngx_http_request_t* r) noexcept {
  return static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_get_module_loc_conf(r, ngx_http_core_module));
}

// The path of a sidecar; empty when memory is refused.
ngx_str_t SidecarPath(ngx_http_request_t* r, std::string_view suffix) noexcept {
  ngx_str_t path = ngx_null_string;
  size_t root = 0;
  u_char* end = ngx_http_map_uri_to_path(r, &path, &root, suffix.size());
  if (end == nullptr) return ngx_null_string;
  end = ngx_cpymem(end, suffix.data(), suffix.size());
  *end = '\0';
  path.len = static_cast<size_t>(end - path.data);
  return path;
}

bool IsMissing(ngx_err_t error) noexcept {
  return error == NGX_ENOENT || error == NGX_ENOTDIR ||
         error == NGX_ENAMETOOLONG;
}

// A sidecar that cannot be read is asked for with every request for its file.
void LogFailure(ngx_http_request_t* r, const ngx_str_t& path,
                const ngx_open_file_info_t& info) noexcept {
  static LogLimit limit;
  if (!limit.Passes()) return;
  ngx_log_error(NGX_LOG_ERR, r->connection->log, info.err,
                "%s \"%V\" failed; the response is made without this file",
                info.failed, &path);
}

// Opens the sidecar. Whatever is wrong with it, the response can be had
// without: it is then as if it did not exist.
bool OpenSidecar(ngx_http_request_t* r, ngx_str_t* path,
                 ngx_open_file_info_t* info) noexcept {
  ngx_http_core_loc_conf_t* core = CoreConf(r);
  ngx_memzero(info, sizeof(*info));
  info->read_ahead = core->read_ahead;
  info->directio = core->directio;
  info->valid = core->open_file_cache_valid;
  info->min_uses = core->open_file_cache_min_uses;
  info->errors = core->open_file_cache_errors != 0 ? 1 : 0;
  info->events = core->open_file_cache_events != 0 ? 1 : 0;
  if (ngx_http_set_disable_symlinks(r, core, path, info) != NGX_OK) {
    return false;
  }
  if (ngx_open_cached_file(core->open_file_cache, path, info, r->pool) ==
      NGX_OK) {
    return info->is_file;
  }
  // A cached failure has no error of its own.
  if (info->err != 0 && info->failed != nullptr && !IsMissing(info->err)) {
    LogFailure(r, *path, *info);
  }
  return false;
}

// A sidecar that clients would not decode is as good as none.
bool IsFit(ngx_http_request_t* r, const CodecRow& row, const ngx_str_t& path,
           const ngx_open_file_info_t& info) noexcept {
  std::uint8_t beginning[kSidecarBeginning];
  const ssize_t size = pread(info.fd, beginning, sizeof(beginning), 0);
  const char* fault =
      size < 0 ? "it cannot be read"
               : row.sidecar_fault({beginning, static_cast<size_t>(size)});
  if (fault == nullptr) return true;
  static LogLimit limit;
  if (limit.Passes()) {
    ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                  "\"%V\" is not served: %s", &path, fault);
  }
  return false;
}

ngx_int_t SendSidecar(ngx_http_request_t* r, const CodecRow& row,
                      const ngx_str_t& path,
                      const ngx_open_file_info_t& info) noexcept {
  r->root_tested = !r->error_page;
  ngx_int_t rc = ngx_http_discard_request_body(r);
  if (rc != NGX_OK) return rc;

  ngx_log_t* log = r->connection->log;
  log->action = const_cast<char*>("sending response to client");
  r->headers_out.status = NGX_HTTP_OK;
  r->headers_out.content_length_n = info.size;
  r->headers_out.last_modified_time = info.mtime;
  if (ngx_http_set_etag(r) != NGX_OK ||
      ngx_http_set_content_type(r) != NGX_OK || !SetContentEncoding(r, row)) {
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  ResponseRecord* record = MakeRecord(r);
  if (record == nullptr) return NGX_HTTP_INTERNAL_SERVER_ERROR;
  *record = {&row, nullptr, nullptr, http_policy::Reason::kCompressed};
  r->allow_ranges = 1;

  auto* buffer =
      static_cast<ngx_buf_t*>(ngx_pcalloc(r->pool, sizeof(ngx_buf_t)));
  auto* file =
      static_cast<ngx_file_t*>(ngx_pcalloc(r->pool, sizeof(ngx_file_t)));
  if (buffer == nullptr || file == nullptr) {
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  rc = ngx_http_send_header(r);
  if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) return rc;

  file->fd = info.fd;
  file->name = path;
  file->log = log;
  file->directio = info.is_directio;
  buffer->file = file;
  buffer->file_last = info.size;
  buffer->in_file = info.size > 0 ? 1 : 0;
  buffer->last_buf = 1;
  buffer->last_in_chain = 1;
  ngx_chain_t out = {buffer, nullptr};
  return ngx_http_output_filter(r, &out);
}

// One codec's sidecar. Returns: NGX_DECLINED to try the next way.
ngx_int_t TrySidecar(ngx_http_request_t* r, const CodecRow& row,
                     bool elected) noexcept {
  const bool negotiated = ModeOf(r, row) == StaticMode::kOn;
  if (negotiated && !elected && !AddsVary(r)) return NGX_DECLINED;
  ngx_str_t path = SidecarPath(r, row.suffix);
  if (path.data == nullptr) return NGX_HTTP_INTERNAL_SERVER_ERROR;
  ngx_open_file_info_t info;
  if (!OpenSidecar(r, &path, &info) || !IsFit(r, row, path, info)) {
    return NGX_DECLINED;
  }
  if (negotiated) {
    // Only now: without a sidecar nothing is negotiated here.
    if (!FlagVary(r)) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    if (!elected) return NGX_DECLINED;
  }
  return SendSidecar(r, row, path, info);
}

// gzip_static is asked after this handler: it can only be let through.
bool HasGzipSidecar(ngx_http_request_t* r) noexcept {
  ngx_str_t path = SidecarPath(r, ".gz");
  ngx_open_file_info_t info;
  return path.data != nullptr && OpenSidecar(r, &path, &info);
}

http_policy::CodingSet OfferedSidecars(ngx_http_request_t* r) noexcept {
  http_policy::CodingSet offered;
  for (const CodecRow& row : Codecs()) {
    if (ModeOf(r, row) != StaticMode::kOff) offered.Add(row.coding);
  }
  return offered;
}

bool MayServe(ngx_http_request_t* r) noexcept {
  return (r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)) != 0 &&
         r->uri.data[r->uri.len - 1] != '/' && r == r->main;
}

// Sidecars of codings that the client does not take: those that are always
// served, in the order of `compress_prefer`, and Vary for the others.
ngx_int_t ServeUnasked(ngx_http_request_t* r,
                       http_policy::CodingSet offered) noexcept {
  http_policy::AcceptedCodings all;
  for (const CodecRow& row : Codecs()) all.AddLine(row.token);
  while (true) {
    const http_policy::Coding coding =
        http_policy::ElectCoding(all, offered, SharedConfOf(r).prefer.All());
    const CodecRow* row = CodecOf(coding);
    if (row == nullptr) return NGX_DECLINED;
    const bool always = ModeOf(r, *row) == StaticMode::kAlways;
    const ngx_int_t rc = TrySidecar(r, *row, always);
    if (rc != NGX_DECLINED) return rc;
    offered.Remove(coding);
  }
}

ngx_int_t StaticHandler(ngx_http_request_t* r) noexcept {
  if (!MayServe(r)) return NGX_DECLINED;
  http_policy::CodingSet offered = OfferedSidecars(r);
  if (offered.Empty()) return NGX_DECLINED;
  http_policy::AcceptedCodings accepted;
  if (ProxyMayHaveCoding(r)) accepted = AcceptedCodingsOf(r);
  if (accepted.Accepts(http_policy::Coding::kGzip) && GzipStaticWouldServe(r)) {
    offered.Add(http_policy::Coding::kGzip);
  }
  // In the order of the client's wishes; a coding whose sidecar cannot be
  // served leaves the election.
  while (true) {
    const http_policy::Coding coding = http_policy::ElectCoding(
        accepted, offered, SharedConfOf(r).prefer.All());
    if (coding == http_policy::Coding::kIdentity) break;
    if (coding == http_policy::Coding::kGzip) {
      if (HasGzipSidecar(r)) {
        return FlagVary(r) ? NGX_DECLINED : NGX_HTTP_INTERNAL_SERVER_ERROR;
      }
    } else {
      const ngx_int_t rc = TrySidecar(r, *CodecOf(coding), true);
      if (rc != NGX_DECLINED) return rc;
    }
    offered.Remove(coding);
  }
  return ServeUnasked(r, offered);
}

}  // namespace

ngx_int_t InstallStaticHandler(ngx_conf_t* cf) noexcept {
  auto* core = static_cast<ngx_http_core_main_conf_t*>(
      ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module));
  auto* handler = static_cast<ngx_http_handler_pt*>(
      ngx_array_push(&core->phases[NGX_HTTP_CONTENT_PHASE].handlers));
  if (handler == nullptr) return NGX_ERROR;
  *handler = StaticHandler;
  return NGX_OK;
}

}  // namespace sidepress
