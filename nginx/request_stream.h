// One response on its way through the body filter: NGINX's buffers in, the
// stream's blocks out. Lives in the request's pool. Thread: loop.
#pragma once

#include "compression_engine/compressed_stream.h"
#include "nginx/codec_table.h"
#include "nginx/configuration.h"
#include "nginx/ngx.h"
#include "nginx/worker_state.h"

namespace sidepress {

class RequestStream final : public engine::StreamObserver {
 public:
  // Returns: nullptr when memory is refused; the response must be sent as it
  // is then.
  static RequestStream* Create(ngx_http_request_t* r,
                               const CodecRow& row) noexcept;

  // Whether the whole response will be compressed where it is fed, without a
  // hand-over, and its output fits into the buffers. REQUIRES: a known length.
  static bool CompressesAtOnce(ngx_http_request_t* r,
                               const CodecRow& row) noexcept;

  // Compresses all of a response, whose last buffer is in `in`, and sends
  // nothing yet: Filter does, with an empty chain.
  // Returns: whether it was compressed to its end.
  bool CompressWhole(ngx_chain_t* in) noexcept;

  // Drops what was compressed; Filter passes everything on from now on.
  void Discard() noexcept;

  // Whether buffers may be in files: their bytes are read by the tasks then,
  // and never pass through the loop.
  bool ReadsFiles() const noexcept;

  // Bytes that the response was compressed to so far, sent or not.
  std::uint64_t produced() const noexcept { return stream_->bytes_out(); }

  // The body filter: takes `in`, sends what there is to send.
  ngx_int_t Filter(ngx_chain_t* in) noexcept;

  void OnProgress() noexcept override;

  const CodecRow& row() const noexcept { return row_; }
  bool complete() const noexcept { return state_ == State::kComplete; }
  std::uint64_t bytes_in() const noexcept { return bytes_in_; }
  std::uint64_t bytes_out() const noexcept { return bytes_out_; }

 private:
  enum class State : unsigned char {
    kOpen,
    kEndSent,   // the end was passed on, but not all of it has been sent
    kComplete,  // the stream was released, nothing is held
    kFailed,
  };

  RequestStream(ngx_http_request_t* r, const CodecRow& row) noexcept;

  static void OnPoolDestroyed(void* data) noexcept;

  // A buffer that waits to be fed. Its marks are copied: once its bytes were
  // taken, or when it never had any, the filter that owns it may use it anew.
  struct Input {
    Input* next;
    ngx_buf_t* buffer;  // nullptr when there are no bytes left
    bool flush;
    bool last;
  };

  bool QueueInput(ngx_chain_t* in) noexcept;
  void FeedInput() noexcept;
  bool FeedBytes(ngx_buf_t* buffer) noexcept;
  bool FeedFile(ngx_buf_t* buffer) noexcept;
  ngx_int_t CollectOutput(ngx_chain_t** out) noexcept;
  ngx_chain_t* AppendBuffer(ngx_chain_t*** last) noexcept;
  void ReturnSent(ngx_chain_t* out) noexcept;
  ngx_int_t Fail(const char* reason) noexcept;
  void ReleaseStream() noexcept;
  void UpdateBuffered() noexcept;
  bool ClientWaits() const noexcept;
  static void OnTurnEnd(ngx_event_t* event) noexcept;

  ngx_http_request_t* const request_;
  const CodecRow& row_;
  engine::CompressedStream* stream_ = nullptr;
  ngx_event_t turn_end_{};  // calls OnTurnEnd
  Input* first_input_ = nullptr;
  Input** last_input_ = &first_input_;
  Input* free_inputs_ = nullptr;
  ngx_chain_t* free_ = nullptr;
  ngx_chain_t* busy_ = nullptr;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  State state_ = State::kOpen;
  bool finished_ = false;  // the last buffer of the response was fed
};

}  // namespace sidepress
