#include "nginx/codec_table.h"

#include "brotli/brotli_codec.h"
#include "nginx/module_tables.h"

namespace sidepress {
namespace {

const codecs::BrotliCodec kBrotli;

const CodecRow kRows[kCodecRows] = {
    {http_policy::Coding::kBrotli, "br", ".br", kBrotli, 6, 19, 2,
     ngx_http_brotli_filter_module, ngx_http_brotli_static_module},
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
