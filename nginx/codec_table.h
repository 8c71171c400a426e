// The codecs that this module serves. A further codec is one row here and one
// set of module tables.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "compression_engine/codec.h"
#include "http_policy/accept_encoding.h"
#include "nginx/ngx.h"

namespace sidepress {

struct CodecRow {
  http_policy::Coding coding;
  std::string_view token;   // in Content-Encoding
  std::string_view suffix;  // of sidecar files
  const engine::Codec& codec;
  ngx_int_t default_level;
  ngx_int_t default_window_log;
  int ratio_decimals;
  ngx_module_t& filter_module;  // holds the directives
  ngx_module_t& static_module;
};

// Thread: any; constant.
std::span<const CodecRow> Codecs() noexcept;

// Returns: nullptr for a coding that this module does not produce.
const CodecRow* CodecOf(http_policy::Coding coding) noexcept;

inline constexpr std::size_t kBrotliRow = 0;
inline constexpr std::size_t kCodecRows = 1;

}  // namespace sidepress
