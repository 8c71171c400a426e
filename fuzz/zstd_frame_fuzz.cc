// The check of a zstd frame's beginning, for any bytes, against what it means
// to be one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "require.h"
#include "zstd/zstd_frame.h"

namespace {

using sidepress::fuzz::Require;
using namespace sidepress::codecs;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint8_t kMagic[] = {0x28, 0xB5, 0x2F, 0xFD};

// What is said of a beginning stays true of every longer one, unless it was
// only too short.
void CheckBeginnings(const Bytes& bytes, ZstdFrameCheck whole) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes beginning(bytes.begin(),
                          bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const ZstdFrameCheck check = CheckZstdFrame(beginning);
    Require(check == ZstdFrameCheck::kTruncated || check == whole);
    if (size > kZstdMaxFrameHeader) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const Bytes bytes(data, data + size);
  const ZstdFrameCheck check = CheckZstdFrame(bytes);
  const bool has_magic =
      size >= sizeof(kMagic) && std::equal(kMagic, kMagic + 4, data);
  if (!has_magic) Require(check != ZstdFrameCheck::kOk);
  if (size >= kZstdMaxFrameHeader) Require(check != ZstdFrameCheck::kTruncated);
  CheckBeginnings(bytes, check);

  // Behind the magic, a window of 8 MiB is well whatever follows.
  Bytes well(kMagic, kMagic + 4);
  well.insert(well.end(), {0x00, 13 << 3});
  well.insert(well.end(), bytes.begin(), bytes.end());
  Require(CheckZstdFrame(well) == ZstdFrameCheck::kOk);
  well[5] = 14 << 3;
  Require(CheckZstdFrame(well) == ZstdFrameCheck::kWindowTooLarge);
  return 0;
}
