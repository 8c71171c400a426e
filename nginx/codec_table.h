// The codecs that this module serves. A further codec is one row here and one
// file with its modules (as brotli_module.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "compression_engine/codec.h"
#include "http_policy/accept_encoding.h"
#include "nginx/ngx.h"

namespace sidepress {

// Those that are built in (SIDEPRESS_CODECS).
enum CodecIndex : std::size_t {
#if (SIDEPRESS_WITH_BROTLI)
  kBrotliRow,
#endif
#if (SIDEPRESS_WITH_ZSTD)
  kZstdRow,
#endif
  kCodecRows,
};

struct CodecRow {
  http_policy::Coding coding;
  std::string_view token;   // in Content-Encoding
  std::string_view suffix;  // of sidecar files
  const engine::Codec& codec;
  ngx_int_t default_level;
  ngx_int_t default_window_log;  // 0: the level's own
  ngx_str_t ratio_variable;
  int ratio_decimals;
  // Returns: what is wrong with a sidecar that begins like this, nullptr when
  // nothing is. `beginning`: kSidecarBeginning bytes, or all there are.
  const char* (*sidecar_fault)(std::span<const std::uint8_t> beginning);
  ngx_module_t& filter_module;  // holds the directives
  ngx_module_t& static_module;
};

inline constexpr std::size_t kSidecarBeginning = 32;

// Thread: any; constant.
std::span<const CodecRow> Codecs() noexcept;

// Returns: nullptr for a coding that this module does not produce.
const CodecRow* CodecOf(http_policy::Coding coding) noexcept;

}  // namespace sidepress
