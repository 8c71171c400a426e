// One whole compression of a file, through a codec of the module or by
// calling its library as other modules do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compression_engine/arena.h"
#include "compression_engine/codec.h"
#include "compression_engine/memory_source.h"

namespace sidepress::bench {

using Bytes = std::span<const std::uint8_t>;

class EncoderRun {
 public:
  virtual ~EncoderRun() = default;

  // Returns: the size of the output, 0 when it failed.
  virtual std::size_t Compress(Bytes input) = 0;

  // Most bytes that were held at one time since the last reset.
  virtual std::size_t peak_memory() const = 0;
  virtual void Reset() = 0;
};

// The heap, counted.
class PeakMemory final : public engine::MemorySource {
 public:
  void* Allocate(std::size_t size) noexcept override;
  void Free(void* memory, std::size_t size) noexcept override;
  std::size_t peak() const { return peak_; }

 private:
  std::size_t held_ = 0;
  std::size_t peak_ = 0;
};

// As the module calls it: through the codec, with the length known, memory
// recycled, slices of input and blocks of output.
class RecycledRun final : public EncoderRun {
 public:
  // `window_log` 0: the level's.
  RecycledRun(const engine::Codec& codec, int level, int window_log,
              std::size_t slice_size);
  ~RecycledRun() override { encoder_->End(false); }

  std::size_t Compress(Bytes input) override;
  std::size_t peak_memory() const override { return memory_->peak(); }
  void Reset() override;

 private:
  bool Step(engine::Operation operation, Bytes input, std::size_t* written);

  const engine::Codec& codec_;
  const int level_;
  const int window_log_;
  const std::size_t slice_size_;
  std::unique_ptr<PeakMemory> memory_;
  std::unique_ptr<engine::Arena> arena_;
  std::vector<std::max_align_t> storage_;
  engine::SegmentEncoder* encoder_ = nullptr;
  std::vector<std::uint8_t> block_;
};

// As google/ngx_brotli calls it: a new encoder each time, 32 KB steps.
class PlainBrotliRun final : public EncoderRun {
 public:
  explicit PlainBrotliRun(int level) : level_(level) {}

  std::size_t Compress(Bytes input) override;
  std::size_t peak_memory() const override { return peak_; }
  void Reset() override { peak_ = 0; }

 private:
  const int level_;
  std::size_t peak_ = 0;
};

// As tokers/zstd-nginx-module calls libzstd: a new encoder each time, which
// does not know the length, flushed after steps of 32 KB.
class PlainZstdRun final : public EncoderRun {
 public:
  explicit PlainZstdRun(int level) : level_(level) {}

  std::size_t Compress(Bytes input) override;
  std::size_t peak_memory() const override { return peak_; }
  void Reset() override { peak_ = 0; }

 private:
  const int level_;
  std::size_t peak_ = 0;
};

}  // namespace sidepress::bench
