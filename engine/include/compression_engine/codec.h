// The seam between the engine and an encoder library. A codec is one folder
// under codecs/ that implements these two interfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compression_engine/arena.h"
#include "compression_engine/status.h"

namespace sidepress::engine {

// What is compressed, for encoders that have a mode for it.
enum class ContentKind : unsigned char { kGeneric, kFont };

// Bytes that both ends know, prepared by a codec for its own encoders.
class Dictionary {
 protected:
  ~Dictionary() = default;
};

// Parameters of one response, the same for all its runs. A codec ignores what
// it has no use for.
struct EncoderParameters {
  int level = 0;
  int window_log = 0;  // base-2 logarithm of the largest window; 0: the level's
  std::uint64_t known_length = 0;  // bytes of the whole response; 0: unknown
  ContentKind kind = ContentKind::kGeneric;
  bool long_distance = false;              // also look for matches far back
  std::uint32_t target_block_size = 0;     // bytes of output; 0: the library's
  const Dictionary* dictionary = nullptr;  // outlives the run; nullptr: none
};

// How a step ends. Anything but kProcess makes all input so far decodable.
enum class Operation : unsigned char {
  kProcess,    // more input follows, the encoder may hold some back
  kFlush,      // what was given becomes decodable
  kEndRun,     // byte-aligned end of a run that another run follows
  kEndStream,  // end of the last run: the end mark is written
};

// Unread input and unwritten output of a step; the encoder advances both.
struct EncoderBuffers {
  const std::uint8_t* input = nullptr;
  std::size_t input_size = 0;
  std::uint8_t* output = nullptr;
  std::size_t output_size = 0;
};

// State for one run at a time. Thread: whoever holds it.
class SegmentEncoder {
 public:
  // Starts a run at byte `offset` of the response (0: its first run, which
  // writes the stream header). `context`: the bytes of the response before
  // `offset`, at most Codec::ContextSize, which must stay until End; matches
  // may refer to them. kOutOfMemory leaves the encoder idle.
  virtual Status Begin(const EncoderParameters& parameters,
                       std::uint64_t offset,
                       std::span<const std::uint8_t> context) noexcept = 0;

  // Consumes input and writes output until one of both is used up.
  // `*done`: the input was consumed, `operation` has taken effect, and no
  // output is left inside; until then call it again with the same operation.
  virtual Status Compress(Operation operation, EncoderBuffers& buffers,
                          bool* done) noexcept = 0;

  // Ends the run, complete or not. `keep`: what makes the next run begin
  // faster may stay allocated; else all memory goes back to the arena. An idle
  // encoder may be ended again.
  virtual void End(bool keep) noexcept = 0;

 protected:
  ~SegmentEncoder() = default;
};

// What a level costs, from measurement (docs/architecture.md).
struct Cost {
  std::uint32_t setup_ns = 0;     // for each run
  std::uint32_t ns_per_byte = 0;  // of input
  std::uint32_t ns_per_context_byte = 0;
};

class Codec {
 public:
  // Size and alignment of an encoder that Construct places.
  virtual std::size_t EncoderSize() const noexcept = 0;

  // Places an encoder in `storage` of EncoderSize() bytes. It allocates from
  // `arena`, which must outlive it, and needs no destruction after End(false).
  virtual SegmentEncoder* Construct(void* storage,
                                    Arena& arena) const noexcept = 0;

  // Bytes that an encoder with these parameters will hold, estimated.
  virtual std::size_t EstimateMemory(
      const EncoderParameters& parameters) const noexcept = 0;

  virtual Cost EstimateCost(
      const EncoderParameters& parameters) const noexcept = 0;

  // Whether a run can follow another in one stream; if not, every response is
  // one run.
  virtual bool JoinsRuns() const noexcept = 0;

  // Bytes before a later run that its encoder has use for.
  virtual std::size_t ContextSize(
      const EncoderParameters& parameters) const noexcept = 0;

  // Bytes of output that `input_size` bytes of input can become at most,
  // with the end of the run.
  virtual std::size_t OutputBound(std::size_t input_size) const noexcept = 0;

 protected:
  ~Codec() = default;
};

}  // namespace sidepress::engine
