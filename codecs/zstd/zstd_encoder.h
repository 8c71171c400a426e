// One run of a zstd frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "compression_engine/codec.h"
#include "zstd/zstd_joined_run.h"
#include "zstd/zstd_raw_run.h"

struct ZSTD_CCtx_s;

namespace sidepress::codecs {

class ZstdEncoder final : public engine::SegmentEncoder {
 public:
  explicit ZstdEncoder(engine::Arena& arena) noexcept : arena_(arena) {}

  // Later runs (`offset` > 0) leave out the frame header and begin as if the
  // three last offsets were unknown; `context` is what they can match into.
  // A dictionary serves the first run only. All memory is taken here; when it
  // is refused, the run is written as raw blocks, which need none.
  engine::Status Begin(const engine::EncoderParameters& parameters,
                       std::uint64_t offset,
                       std::span<const std::uint8_t> context) noexcept override;

  // kEncoderFailed also when more or fewer bytes come than the known length:
  // the frame header has promised it, so that no valid frame can be made.
  engine::Status Compress(engine::Operation operation,
                          engine::EncoderBuffers& buffers,
                          bool* done) noexcept override;
  void End(bool keep) noexcept override;

 private:
  // Called by the library.
  static void* Allocate(void* encoder, std::size_t size) noexcept;
  static void Free(void* encoder, void* memory) noexcept;

  // These return an error code of the library, 0 when all went well.
  int Start(const engine::EncoderParameters& parameters, std::uint64_t offset,
            std::span<const std::uint8_t> context) noexcept;
  int Configure(const engine::EncoderParameters& parameters,
                bool first_run) noexcept;
  int TakeFrameHeader() noexcept;

  // A step of a first run.
  bool Step(engine::Operation operation, engine::EncoderBuffers& buffers,
            bool* done) noexcept;
  void WriteFrameHeader(engine::EncoderBuffers& buffers) noexcept;
  void Release() noexcept;

  static constexpr std::uint64_t kUnknown = ZstdJoinedRun::kUnknownLength;
  enum class Kind : unsigned char { kFirst, kJoined, kRaw };

  engine::Arena& arena_;
  ZSTD_CCtx_s* library_ = nullptr;  // its context; kept by End(true)
  Kind kind_ = Kind::kFirst;
  ZstdJoinedRun joined_run_;
  ZstdRawRun raw_run_;
  std::array<std::uint8_t, 18> header_{};  // the frame's, yet to be written
  std::size_t header_size_ = 0;
  std::size_t header_written_ = 0;
  std::uint64_t length_left_ = kUnknown;  // bytes to come of the known length
};

}  // namespace sidepress::codecs
