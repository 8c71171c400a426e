// Parsers of directive values. Each refuses a bad value with one sentence:
// "DIRECTIVE" must be WHAT IS ACCEPTED, got "VALUE".
//
// They are the `set` functions of ngx_command_t and find in `post` what they
// need to know beyond the directive itself.
#pragma once

#include <span>

#include "nginx/ngx.h"

namespace sidepress {

// Numbers (ngx_int_t), and sizes (size_t) or lengths (off_t) in bytes.
struct ValueRange {
  off_t least;
  off_t most;
  const char* accepted;
};

struct NamedValue {
  const char* name;
  ngx_uint_t value;
};

struct NamedValues {
  std::span<const NamedValue> values;
  const char* accepted;
};

char* SetFlag(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
// `post`: ValueRange.
char* SetNumber(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
char* SetSize(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
char* SetLength(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
// Of CodecLocConf. Where levels can be negative there is no level 0; `post`:
// ValueRange.
char* SetLevel(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
// Stores the base-2 logarithm; `post`: ValueRange.
char* SetPowerOfTwo(ngx_conf_t* cf, ngx_command_t* command,
                    void* conf) noexcept;
// `post`: NamedValues.
char* SetNamed(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
// Adds up the values of all arguments; `post`: NamedValues.
char* SetMask(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;

// Of CodecLocConf.
char* SetBuffers(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
char* SetRetention(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;
char* SetThreadPool(ngx_conf_t* cf, ngx_command_t* command,
                    void* conf) noexcept;

// Of SidepressLocConf.
char* SetPreference(ngx_conf_t* cf, ngx_command_t* command,
                    void* conf) noexcept;
char* SetStatuses(ngx_conf_t* cf, ngx_command_t* command, void* conf) noexcept;

}  // namespace sidepress
