// The module that holds what the codecs share.
#include <cstddef>

#include "http_policy/proxied_requests.h"
#include "nginx/commands.h"
#include "nginx/filter.h"
#include "nginx/module_tables.h"
#include "nginx/static_handler.h"
#include "nginx/variables.h"
#include "nginx/worker_state.h"

namespace sidepress {
namespace {

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

ngx_command_t commands[] = {
    MainCommand(ngx_string("compress_thread_priority"), SetNamed,
                offsetof(SidepressMainConf, thread_priority),
                Post(kPriorities)),
    LocationCommand(ngx_string("compress_prefer"), NGX_CONF_1MORE,
                    SetPreference, 0),
    LocationCommand(ngx_string("compress_statuses"), NGX_CONF_1MORE,
                    SetStatuses, 0),
    LocationCommand(ngx_string("compress_proxied"), NGX_CONF_1MORE, SetMask,
                    offsetof(SidepressLocConf, proxied),
                    Post(kProxiedConditions)),
    LocationCommand(ngx_string("compress_vary"), NGX_CONF_TAKE1, SetFlag,
                    offsetof(SidepressLocConf, vary)),
    LocationCommand(ngx_string("compress_no_transform"), NGX_CONF_TAKE1,
                    SetFlag, offsetof(SidepressLocConf, no_transform)),
    LocationCommand(ngx_string("compress_etag"), NGX_CONF_TAKE1, SetNamed,
                    offsetof(SidepressLocConf, etag), Post(kETagPolicies)),
    ngx_null_command,
};

ngx_int_t InstallHandlers(ngx_conf_t* cf) noexcept {
  InstallFilter();
  return InstallStaticHandler(cf);
}

// With every start and reload, not with `nginx -t`.
ngx_int_t LogCodecs(ngx_cycle_t* cycle) noexcept {
  for (const CodecRow& row : Codecs()) {
    ngx_log_error(NGX_LOG_NOTICE, cycle->log, 0, "sidepress: %*s, %s",
                  row.token.size(), row.token.data(),
                  row.codec.JoinsRuns()
                      ? "several lanes for each response"
                      : "one lane for each response: the library that this "
                        "module is linked to cannot join runs");
  }
  return NGX_OK;
}

ngx_http_module_t context = {
    AddVariables,
    InstallHandlers,
    CreateSidepressMainConf,
    InitSidepressMainConf,
    nullptr,
    nullptr,
    CreateSidepressLocConf,
    MergeSidepressLocConf,
};

}  // namespace
}  // namespace sidepress

// Nothing is undone when a worker exits: its memory goes with the process.
ngx_module_t ngx_http_sidepress_module =
    sidepress::HttpModule(&sidepress::context, sidepress::commands,
                          sidepress::LogCodecs, sidepress::InitWorker);
