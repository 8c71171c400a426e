// One seeded random life of a few responses that share a scheduler, checked
// against what they must decode to.
#pragma once

#include <cstdint>
#include <string>

#include "compression_engine/codec.h"
#include "model/toy_codec.h"

namespace sidepress::tests {

// A codec together with the independent decoder that judges it.
struct CodecUnderTest {
  const engine::Codec& codec;
  Decoded (*decode)(const std::string& stream);
  int level;
  std::size_t scale;  // sizes of bodies, slices and segments are times this
};

struct Outcome {
  std::string error;  // empty when every property held
  unsigned completed = 0;
  unsigned cancelled = 0;
  unsigned failed = 0;
  unsigned runs = 0;  // of all responses
};

Outcome RunSequence(std::uint32_t seed, const CodecUnderTest& subject);

}  // namespace sidepress::tests
