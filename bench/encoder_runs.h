// One whole compression of a file, by either way of calling libbrotlienc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "brotli/brotli_codec.h"
#include "compression_engine/arena.h"
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
  RecycledRun(int level, std::size_t slice_size);

  std::size_t Compress(Bytes input) override;
  std::size_t peak_memory() const override { return memory_->peak(); }
  void Reset() override;

 private:
  bool Step(engine::Operation operation, Bytes input, std::size_t* written);

  const int level_;
  const std::size_t slice_size_;
  codecs::BrotliCodec codec_;
  std::unique_ptr<PeakMemory> memory_;
  std::unique_ptr<engine::Arena> arena_;
  std::vector<std::max_align_t> storage_;
  engine::SegmentEncoder* encoder_ = nullptr;
  std::vector<std::uint8_t> block_;
};

// As google/ngx_brotli calls it: a new encoder each time, 32 KB steps.
class PlainRun final : public EncoderRun {
 public:
  explicit PlainRun(int level) : level_(level) {}

  std::size_t Compress(Bytes input) override;
  std::size_t peak_memory() const override { return peak_; }
  void Reset() override { peak_ = 0; }

 private:
  const int level_;
  std::size_t peak_ = 0;
};

}  // namespace sidepress::bench
