#include "unit/codecs/zstd_frames.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

namespace sidepress::tests {
namespace {

constexpr int kBrowserWindowLog = 23;

// Returns: whether `frame` ended with its last byte.
bool Decode(const std::string& frame, const std::string& dictionary,
            std::string* decoded) {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kBrowserWindowLog);
  if (!dictionary.empty()) {
    ZSTD_DCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  }
  ZSTD_inBuffer input = {frame.data(), frame.size(), 0};
  std::size_t left = 1;
  bool room_left = false;
  while (left != 0 && !ZSTD_isError(left) &&
         !(room_left && input.pos == input.size)) {
    char out[4096];
    ZSTD_outBuffer output = {out, sizeof(out), 0};
    left = ZSTD_decompressStream(context, &output, &input);
    decoded->append(out, output.pos);
    room_left = output.pos < output.size;
  }
  ZSTD_freeDCtx(context);
  return left == 0 && input.pos == input.size;
}

}  // namespace

std::string DecodeZstdFrame(const std::string& frame,
                            const std::string& dictionary) {
  std::string decoded;
  return Decode(frame, dictionary, &decoded) ? decoded : "not a frame";
}

std::string DecodeZstdBeginning(const std::string& beginning) {
  std::string decoded;
  Decode(beginning, "", &decoded);
  return decoded;
}

ZstdHeader ReadZstdHeader(const std::string& frame) {
  ZSTD_frameHeader header;
  const std::size_t result =
      ZSTD_getFrameHeader(&header, frame.data(), frame.size());
  if (result != 0) return {0, 0};
  return {header.frameContentSize, header.windowSize};
}

}  // namespace sidepress::tests
