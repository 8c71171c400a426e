#include "nginx/codec_table.h"

#include "nginx/module_tables.h"

#if (SIDEPRESS_WITH_BROTLI)
#include "brotli/brotli_codec.h"
#endif
#if (SIDEPRESS_WITH_ZSTD)
#include "zstd/zstd_codec.h"
#include "zstd/zstd_frame.h"
#endif

namespace sidepress {
namespace {

#if (SIDEPRESS_WITH_BROTLI)

const codecs::BrotliCodec kBrotli;

// A Brotli stream has no mark to know it by.
const char* BrotliSidecarFault(std::span<const std::uint8_t>) noexcept {
  return nullptr;
}

#endif

#if (SIDEPRESS_WITH_ZSTD)

const codecs::ZstdCodec kZstd;
static_assert(codecs::kZstdMaxFrameHeader <= kSidecarBeginning);

const char* ZstdSidecarFault(std::span<const std::uint8_t> bytes) noexcept {
  switch (codecs::CheckZstdFrame(bytes)) {
    case codecs::ZstdFrameCheck::kOk:
      return nullptr;
    case codecs::ZstdFrameCheck::kNotZstd:
      return "it does not begin with a zstd frame";
    case codecs::ZstdFrameCheck::kWindowTooLarge:
      return "its window is larger than 8 MiB, which browsers refuse";
    case codecs::ZstdFrameCheck::kTruncated:
      break;
  }
  return "it ends within its frame header";
}

#endif

const CodecRow kRows[kCodecRows] = {
#if (SIDEPRESS_WITH_BROTLI)
    {http_policy::Coding::kBrotli, "br", ".br", kBrotli, 6, 19,
     ngx_string("brotli_ratio"), 2, BrotliSidecarFault,
     ngx_http_brotli_filter_module, ngx_http_brotli_static_module},
#endif
#if (SIDEPRESS_WITH_ZSTD)
    {http_policy::Coding::kZstd, "zstd", ".zst", kZstd, 1, 0,
     ngx_string("zstd_ratio"), 3, ZstdSidecarFault, ngx_http_zstd_filter_module,
     ngx_http_zstd_static_module},
#endif
};

}  // namespace

std::span<const CodecRow> Codecs() noexcept { return kRows; }

const CodecRow* CodecOf(http_policy::Coding coding) noexcept {
  for (const CodecRow& row : kRows) {
    if (row.coding == coding) return &row;
  }
  return nullptr;
}

}  // namespace sidepress
