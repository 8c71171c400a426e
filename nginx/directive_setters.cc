#include "nginx/directive_setters.h"

#include <string_view>

#include "http_policy/response_eligibility.h"
#include "nginx/configuration.h"
#include "nginx/module_tables.h"

namespace sidepress {
namespace {

char kDuplicate[] = "is duplicate";

char* Failed() noexcept { return static_cast<char*>(NGX_CONF_ERROR); }

ngx_str_t& Argument(ngx_conf_t* cf, ngx_uint_t i) noexcept {
  return static_cast<ngx_str_t*>(cf->args->elts)[i];
}

std::string_view View(const ngx_str_t& text) noexcept {
  return {reinterpret_cast<const char*>(text.data), text.len};
}

// As NGINX's own flags: without regard to case.
bool Matches(const ngx_str_t& text, std::string_view word) noexcept {
  return text.len == word.size() &&
         ngx_strncasecmp(
             text.data,
             reinterpret_cast<u_char*>(const_cast<char*>(word.data())),
             text.len) == 0;
}

template <typename T>
T& Field(ngx_command_t* command, void* conf) noexcept {
  return *reinterpret_cast<T*>(static_cast<char*>(conf) + command->offset);
}

// All arguments, as they stand in the file, are the value that is refused.
char* Refuse(ngx_conf_t* cf, const char* accepted) noexcept {
  u_char text[256];
  u_char* end = text;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    end = ngx_slprintf(end, text + sizeof(text), i == 1 ? "%V" : " %V",
                       &Argument(cf, i));
  }
  ngx_str_t value = {static_cast<size_t>(end - text), text};
  ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" must be %s, got \"%V\"",
                     &Argument(cf, 0), accepted, &value);
  return Failed();
}

bool InRange(off_t value, const ValueRange& range) noexcept {
  return value >= range.least && value <= range.most;
}

// Returns: kIdentity when the name is no coding that can be elected.
http_policy::Coding CodingNamed(std::string_view name) noexcept {
  for (const auto coding : http_policy::kDefaultPreference) {
    if (name == http_policy::CodingName(coding)) return coding;
  }
  return http_policy::Coding::kIdentity;
}

const ValueRange& RangeOf(ngx_command_t* command) noexcept {
  return *static_cast<const ValueRange*>(command->post);
}

const NamedValues& NamesOf(ngx_command_t* command) noexcept {
  return *static_cast<const NamedValues*>(command->post);
}

const NamedValue* FindNamed(ngx_command_t* command,
                            const ngx_str_t& text) noexcept {
  for (const NamedValue& named : NamesOf(command).values) {
    if (View(text) == named.name) return &named;
  }
  return nullptr;
}

}  // namespace

char* SetFlag(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<ngx_flag_t>(command, conf);
  if (field != NGX_CONF_UNSET) return kDuplicate;
  ngx_str_t& text = Argument(cf, 1);
  const bool on = Matches(text, "on");
  const bool off = Matches(text, "off");
  if (!on && !off) return Refuse(cf, "\"on\" or \"off\"");
  field = on ? 1 : 0;
  return NGX_CONF_OK;
}

char* SetNumber(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<ngx_int_t>(command, conf);
  if (field != NGX_CONF_UNSET) return kDuplicate;
  ngx_str_t& text = Argument(cf, 1);
  const ngx_int_t value = ngx_atoi(text.data, text.len);
  if (value == NGX_ERROR || !InRange(value, RangeOf(command))) {
    return Refuse(cf, RangeOf(command).accepted);
  }
  field = value;
  return NGX_CONF_OK;
}

char* SetLevel(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  ngx_int_t& level = static_cast<CodecLocConf*>(conf)->level;
  if (level != kLevelUnset) return kDuplicate;
  const ngx_str_t& text = Argument(cf, 1);
  const size_t sign = text.len > 0 && text.data[0] == '-' ? 1 : 0;
  const ngx_int_t digits = ngx_atoi(text.data + sign, text.len - sign);
  const ngx_int_t value = sign == 1 ? -digits : digits;
  const ValueRange& range = RangeOf(command);
  const bool is_no_level = value == 0 && (sign == 1 || range.least < 0);
  if (digits == NGX_ERROR || is_no_level || !InRange(value, range)) {
    return Refuse(cf, range.accepted);
  }
  level = value;
  return NGX_CONF_OK;
}

char* SetSize(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<size_t>(command, conf);
  if (field != NGX_CONF_UNSET_SIZE) return kDuplicate;
  const ssize_t value = ngx_parse_size(&Argument(cf, 1));
  if (value == NGX_ERROR || !InRange(value, RangeOf(command))) {
    return Refuse(cf, RangeOf(command).accepted);
  }
  field = static_cast<size_t>(value);
  return NGX_CONF_OK;
}

char* SetLength(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<off_t>(command, conf);
  if (field != NGX_CONF_UNSET) return kDuplicate;
  const off_t value = ngx_parse_offset(&Argument(cf, 1));
  if (value == NGX_ERROR || !InRange(value, RangeOf(command))) {
    return Refuse(cf, RangeOf(command).accepted);
  }
  field = value;
  return NGX_CONF_OK;
}

char* SetPowerOfTwo(ngx_conf_t* cf, ngx_command_t* command,
                    void* conf) noexcept {
  auto& field = Field<ngx_int_t>(command, conf);
  if (field != NGX_CONF_UNSET) return kDuplicate;
  const ssize_t value = ngx_parse_size(&Argument(cf, 1));
  if (value <= 0 || !InRange(value, RangeOf(command)) ||
      (value & (value - 1)) != 0) {
    return Refuse(cf, RangeOf(command).accepted);
  }
  ngx_int_t log = 0;
  while ((ssize_t{1} << log) < value) ++log;
  field = log;
  return NGX_CONF_OK;
}

char* SetNamed(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<ngx_uint_t>(command, conf);
  if (field != NGX_CONF_UNSET_UINT) return kDuplicate;
  const NamedValue* named = FindNamed(command, Argument(cf, 1));
  if (named == nullptr) return Refuse(cf, NamesOf(command).accepted);
  field = named->value;
  return NGX_CONF_OK;
}

char* SetMask(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept {
  auto& field = Field<ngx_uint_t>(command, conf);
  if (field != NGX_CONF_UNSET_UINT) return kDuplicate;
  field = 0;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    const NamedValue* named = FindNamed(command, Argument(cf, i));
    if (named == nullptr) return Refuse(cf, NamesOf(command).accepted);
    field |= named->value;
  }
  return NGX_CONF_OK;
}

char* SetBuffers(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  constexpr ngx_int_t kMostBuffers = 65536;
  constexpr ssize_t kLeastSize = 64;
  constexpr ssize_t kMostSize = 16 * 1024 * 1024;
  ngx_bufs_t& buffers = static_cast<CodecLocConf*>(conf)->buffers;
  if (buffers.num != 0) return kDuplicate;
  ngx_str_t& number = Argument(cf, 1);
  const ngx_int_t count = ngx_atoi(number.data, number.len);
  const ssize_t size = ngx_parse_size(&Argument(cf, 2));
  if (count < 1 || count > kMostBuffers || size < kLeastSize ||
      size > kMostSize) {
    return Refuse(cf, "a number from 1 to 65536 and a size from 64 to 16m");
  }
  buffers = {count, static_cast<size_t>(size)};
  return NGX_CONF_OK;
}

char* SetRetention(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  using Kind = engine::RetentionPolicy::Kind;
  constexpr const char* kAccepted =
      "\"aggressive\", \"current_config\", \"release_all\" or \"bounded SIZE\"";
  auto* codec = static_cast<CodecLocConf*>(conf);
  if (codec->retention != NGX_CONF_UNSET_UINT) return kDuplicate;
  const std::string_view name = View(Argument(cf, 1));
  const bool has_size = cf->args->nelts == 3;
  Kind kind = Kind::kAggressive;
  if (name == "bounded" && has_size) {
    const ssize_t bound = ngx_parse_size(&Argument(cf, 2));
    if (bound == NGX_ERROR) return Refuse(cf, kAccepted);
    codec->retention_bound = static_cast<size_t>(bound);
    kind = Kind::kBounded;
  } else if (name == "current_config" && !has_size) {
    kind = Kind::kCurrentConfig;
  } else if (name == "release_all" && !has_size) {
    kind = Kind::kReleaseAll;
  } else if (name != "aggressive" || has_size) {
    return Refuse(cf, kAccepted);
  }
  codec->retention = static_cast<ngx_uint_t>(kind);
  return NGX_CONF_OK;
}

char* SetPreference(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  Preference& prefer = static_cast<SidepressLocConf*>(conf)->prefer;
  if (prefer.size != 0) return kDuplicate;
  http_policy::CodingSet left;
  for (const auto coding : http_policy::kDefaultPreference) left.Add(coding);
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    const auto coding = CodingNamed(View(Argument(cf, i)));
    if (!left.Has(coding)) {
      return Refuse(cf,
                    "some of \"br\", \"zstd\" and \"gzip\", each at most once");
    }
    left.Remove(coding);
    prefer.codings[prefer.size++] = coding;
  }
  return NGX_CONF_OK;
}

char* SetStatuses(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  constexpr ngx_int_t kMostStatus = 999;
  auto* shared = static_cast<SidepressLocConf*>(conf);
  if (shared->statuses != NGX_CONF_UNSET_PTR) return kDuplicate;
  shared->statuses =
      ngx_array_create(cf->pool, cf->args->nelts - 1, sizeof(int));
  if (shared->statuses == nullptr) return Failed();
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    const ngx_str_t& text = Argument(cf, i);
    const ngx_int_t status = ngx_atoi(text.data, text.len);
    if (status == NGX_ERROR || status > kMostStatus ||
        http_policy::IsRefusedStatus(static_cast<int>(status))) {
      return Refuse(cf, "codes from 200 to 999 without 204, 205, 206 and 304");
    }
    // There is room for all arguments.
    *static_cast<int*>(ngx_array_push(shared->statuses)) =
        static_cast<int>(status);
  }
  return NGX_CONF_OK;
}

#if (NGX_THREADS)

namespace {

bool NotePool(ngx_conf_t* cf, ngx_thread_pool_t* pool,
              const ngx_str_t& name) noexcept {
  auto* main = static_cast<SidepressMainConf*>(
      ngx_http_conf_get_module_main_conf(cf, ngx_http_sidepress_module));
  auto* uses = static_cast<PoolUse*>(main->pools->elts);
  for (ngx_uint_t i = 0; i < main->pools->nelts; ++i) {
    if (uses[i].pool == pool) return true;
  }
  auto* use = static_cast<PoolUse*>(ngx_array_push(main->pools));
  if (use == nullptr) return false;
  // Others use the pool "default" without naming it.
  *use = {pool, name, View(name) == "default"};
  return true;
}

}  // namespace

char* SetThreadPool(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  auto* codec = static_cast<CodecLocConf*>(conf);
  if (codec->pool_set != NGX_CONF_UNSET) return kDuplicate;
  ngx_str_t& name = Argument(cf, 1);
  if (name.len == 0) return Refuse(cf, "the name of a thread pool or \"off\"");
  codec->pool_set = 1;
  if (View(name) == "off") return NGX_CONF_OK;
  codec->pool = ngx_thread_pool_add(cf, &name);
  if (codec->pool == nullptr || !NotePool(cf, codec->pool, name)) {
    return Failed();
  }
  return NGX_CONF_OK;
}

#else

char* SetThreadPool(ngx_conf_t* cf, ngx_command_t*, void* conf) noexcept {
  auto* codec = static_cast<CodecLocConf*>(conf);
  if (codec->pool_set != NGX_CONF_UNSET) return kDuplicate;
  codec->pool_set = 1;
  if (View(Argument(cf, 1)) == "off") return NGX_CONF_OK;
  return Refuse(cf, "\"off\" (this NGINX was built without --with-threads)");
}

#endif

}  // namespace sidepress
