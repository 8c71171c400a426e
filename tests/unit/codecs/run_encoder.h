// Drives one encoder by hand, and decodes what it wrote.
#pragma once

#include <string>
#include <vector>

#include "compression_engine/codec.h"

namespace sidepress::tests {

// One piece of input and how it ends.
struct Piece {
  std::string bytes;
  engine::Operation operation;
};

// Drives `encoder` through one run of `pieces` that starts at `offset`, with
// output buffers of `buffer_size` bytes, and ends it.
// Returns: its output, nothing when it failed.
std::string DriveEncoder(engine::SegmentEncoder& encoder,
                         const engine::EncoderParameters& parameters,
                         std::uint64_t offset, const std::string& context,
                         const std::vector<Piece>& pieces,
                         std::size_t buffer_size, bool keep);

// The same with an encoder for this run alone.
std::string EncodeRun(const engine::Codec& codec, engine::MemorySource& memory,
                      const engine::EncoderParameters& parameters,
                      std::uint64_t offset, const std::vector<Piece>& pieces,
                      std::size_t buffer_size = 1000,
                      const std::string& context = "");

// Decodes a whole Brotli stream; "not a stream" unless it ends with its last
// byte.
std::string DecodeBrotliStream(const std::string& stream);

// Words drawn from a small vocabulary.
std::string MakeText(std::size_t size, unsigned seed = 1);

}  // namespace sidepress::tests
