// What a client makes of zstd frames.
#pragma once

#include <cstdint>
#include <string>

namespace sidepress::tests {

// Decodes a whole frame as a browser does, with `dictionary` if there is one;
// "not a frame" unless it is exactly one frame, with nothing after it, and a
// window of at most 8 MiB.
std::string DecodeZstdFrame(const std::string& frame,
                            const std::string& dictionary = "");

// What can be decoded of a frame that goes on.
std::string DecodeZstdBeginning(const std::string& beginning);

struct ZstdHeader {
  std::uint64_t content_size;  // UINT64_MAX: not declared
  std::uint64_t window_size;
};
ZstdHeader ReadZstdHeader(const std::string& frame);

}  // namespace sidepress::tests
