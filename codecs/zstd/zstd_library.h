// libzstd with its "static" part, which is what allocation through an arena
// and the joining of runs are made of. For this folder's sources only.
#pragma once

// The functions of the buffer-less API are marked as deprecated from 1.5.5
// on; they stay, since the library's own threads are built on them.
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#if SIDEPRESS_ZSTD_STATIC
// Internal to the library (zstd_compress_internal.h) and without a replacement
// in its interface: the encoder behaves as if it did not know the last three
// offsets, which are those of the run before.
extern "C" void ZSTD_invalidateRepCodes(ZSTD_CCtx* context);
#endif

namespace sidepress::codecs {

inline constexpr bool kZstdIsStatic = SIDEPRESS_ZSTD_STATIC != 0;

inline void ForgetRepeatOffsets([[maybe_unused]] ZSTD_CCtx* context) noexcept {
#if SIDEPRESS_ZSTD_STATIC
  ZSTD_invalidateRepCodes(context);
#endif
}

}  // namespace sidepress::codecs
