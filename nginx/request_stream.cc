#include "nginx/request_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "http_policy/content_kind.h"
#include "nginx/filter.h"
#include "nginx/log_limit.h"
#include "nginx/module_tables.h"

namespace sidepress {
namespace {

// A bit of our own in c->buffered: gzip clears its bit for every response.
constexpr unsigned kBuffered = 0x40;

// How long one slice may take. On the loop, what others wait for; on a pool,
// what a short response waits for at most, against the cost of a hand-over.
constexpr std::uint64_t kLoopSliceNs = 1'000'000;
constexpr std::uint64_t kPoolSliceNs = 3'000'000;

constexpr std::uint64_t kLeastLoopSlice = 16 * 1024;
constexpr std::uint64_t kMostLoopSlice = 64 * 1024;
constexpr std::uint64_t kLeastPoolSlice = 64 * 1024;
constexpr std::uint64_t kMostPoolSlice = 256 * 1024;
constexpr std::uint64_t kSliceStep = 4 * 1024;

std::size_t SliceSize(const engine::StreamOptions& options,
                      const engine::Codec& codec, bool on_pool) noexcept {
  const std::uint64_t ns_per_byte = std::max<std::uint64_t>(
      1, codec.EstimateCost(options.parameters).ns_per_byte);
  const std::uint64_t wanted =
      (on_pool ? kPoolSliceNs : kLoopSliceNs) / ns_per_byte;
  const std::uint64_t size =
      on_pool ? std::clamp(wanted, kLeastPoolSlice, kMostPoolSlice)
              : std::clamp(wanted, kLeastLoopSlice, kMostLoopSlice);
  const std::uint64_t known = options.parameters.known_length;
  const std::uint64_t least = known > 0 ? std::min(size, known) : size;
  // Few sizes, so that blocks of one response fit the next.
  return static_cast<std::size_t>((least + kSliceStep - 1) / kSliceStep *
                                  kSliceStep);
}

engine::StreamOptions OptionsOf(ngx_http_request_t* r, const CodecRow& row,
                                const CodecLocConf& conf) noexcept {
  engine::StreamOptions options;
  options.parameters.level = static_cast<int>(conf.level);
  options.parameters.window_log = static_cast<int>(conf.window_log);
  options.parameters.long_distance = conf.long_distance == 1;
  options.parameters.target_block_size =
      static_cast<std::uint32_t>(conf.target_block_size);
  options.parameters.dictionary = conf.dictionary;
  const off_t length = r->headers_out.content_length_n;
  options.parameters.known_length =
      length > 0 ? static_cast<std::uint64_t>(length) : 0;
  const ngx_str_t& type = r->headers_out.content_type;
  const http_policy::ContentKind kind = http_policy::ClassifyContentType(
      {reinterpret_cast<const char*>(type.data), type.len});
  options.parameters.kind = kind == http_policy::ContentKind::kFont
                                ? engine::ContentKind::kFont
                                : engine::ContentKind::kGeneric;
  options.retention.kind =
      static_cast<engine::RetentionPolicy::Kind>(conf.retention);
  options.retention.bound = conf.retention_bound;
  options.reuse_encoders = conf.reuse_memory == 1;
  options.slice_size = SliceSize(options, row.codec, conf.pool != nullptr);
  options.fallback_slice_size = SliceSize(options, row.codec, false);
  options.output_block_size = conf.buffers.size;
  options.output_block_limit = static_cast<std::size_t>(conf.buffers.num);
  options.segment_size = conf.segment_size;
  options.parallel_tasks =
      conf.pool != nullptr ? static_cast<unsigned>(conf.parallel_tasks) : 1;
  return options;
}

// Thread: pool or loop. After the request has ended the descriptor may be
// closed, or another file's by now: what is read is dropped then.
bool ReadFile(std::intptr_t descriptor, std::uint64_t offset,
              std::span<std::uint8_t> to) noexcept {
  while (!to.empty()) {
    const ssize_t size = pread(static_cast<int>(descriptor), to.data(),
                               to.size(), static_cast<off_t>(offset));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(size));
    offset += static_cast<std::uint64_t>(size);
  }
  return true;
}

const char* FaultOf(engine::Status status) noexcept {
  switch (status) {
    case engine::Status::kOk:
    case engine::Status::kEncoderFailed:
      break;
    case engine::Status::kOutOfMemory:
      return "there is no memory";
    case engine::Status::kInputFailed:
      return "its file cannot be read, or has become shorter";
  }
  return "the encoder failed";
}

void LogRefusal(ngx_http_request_t* r, const CodecRow& row) noexcept {
  static LogLimit limit;
  if (!limit.Passes()) return;
  ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                "no memory for %*s compression; such responses are sent "
                "uncompressed",
                row.token.size(), row.token.data());
}

}  // namespace

RequestStream::RequestStream(ngx_http_request_t* r,
                             const CodecRow& row) noexcept
    : request_(r), row_(row) {
  turn_end_.data = this;
  turn_end_.handler = OnTurnEnd;
  turn_end_.log = r->connection->log;
}

RequestStream* RequestStream::Create(ngx_http_request_t* r,
                                     const CodecRow& row) noexcept {
  WorkerState* worker = CurrentWorker();
  if (worker == nullptr) return nullptr;
  const CodecLocConf& conf = LocConfOf(r, row);
  ngx_pool_cleanup_t* cleanup =
      ngx_pool_cleanup_add(r->pool, sizeof(RequestStream));
  if (cleanup == nullptr) return nullptr;
  auto* self = new (cleanup->data) RequestStream(r, row);
  self->stream_ = engine::CompressedStream::Create(
      {worker->EncodersOf(row), worker->SchedulerOf(conf.pool),
       worker->blocks(), *self},
      OptionsOf(r, row, conf));
  if (self->stream_ == nullptr) {
    LogRefusal(r, row);
    return nullptr;
  }
  cleanup->handler = OnPoolDestroyed;
  return self;
}

void RequestStream::OnPoolDestroyed(void* data) noexcept {
  auto* self = static_cast<RequestStream*>(data);
  if (self->turn_end_.posted) {
    ngx_delete_posted_event(&self->turn_end_);
  }
  self->ReleaseStream();
}

void RequestStream::ReleaseStream() noexcept {
  if (stream_ == nullptr) return;
  stream_->Release();
  stream_ = nullptr;
}

bool RequestStream::CompressesAtOnce(ngx_http_request_t* r,
                                     const CodecRow& row) noexcept {
  const engine::StreamOptions options = OptionsOf(r, row, LocConfOf(r, row));
  const std::uint64_t length = options.parameters.known_length;
  const engine::Cost cost = row.codec.EstimateCost(options.parameters);
  return cost.setup_ns + length * cost.ns_per_byte <= options.inline_limit_ns &&
         length <= options.slice_size &&
         row.codec.OutputBound(length) <=
             options.output_block_size * options.output_block_limit;
}

// Files of an upstream's response may be written anew while it lasts.
bool RequestStream::ReadsFiles() const noexcept {
  return stream_->takes_sources() && request_->upstream == nullptr;
}

bool RequestStream::CompressWhole(ngx_chain_t* in) noexcept {
  if (!QueueInput(in)) return false;
  FeedInput();
  return finished_ && stream_->closed();
}

void RequestStream::Discard() noexcept {
  ReleaseStream();
  state_ = State::kComplete;
}

ngx_int_t RequestStream::Filter(ngx_chain_t* in) noexcept {
  if (state_ == State::kFailed) return NGX_ERROR;
  if (state_ == State::kComplete) return NextBodyFilter(request_, in);
  if (!QueueInput(in))
    return Fail("a buffer is not in memory, or none is left");
  ngx_int_t rc = NGX_OK;
  // What waits further down must be offered the chance to go on, even when
  // there is nothing to add.
  bool offer = busy_ != nullptr;
  while (true) {
    FeedInput();
    if (stream_->failed()) return Fail(FaultOf(stream_->status()));
    ngx_chain_t* out = nullptr;
    if (CollectOutput(&out) != NGX_OK) return Fail("no memory for a buffer");
    if (out == nullptr && !offer) break;
    offer = false;
    // While the filters below run, the bit must be set already: they may ask
    // whether the response is complete.
    UpdateBuffered();
    rc = NextBodyFilter(request_, out);
    ReturnSent(out);
    if (rc == NGX_ERROR) return Fail(nullptr);
  }
  if (state_ == State::kEndSent && busy_ == nullptr) {
    state_ = State::kComplete;
    ReleaseStream();
  }
  UpdateBuffered();
  // Whoever called starts the client's timer, and begins to watch it, after
  // this has returned.
  if (ClientWaits()) {
    ngx_post_event(&turn_end_, &ngx_posted_events);
  }
  return busy_ != nullptr || (request_->connection->buffered & kBuffered) != 0
             ? NGX_AGAIN
             : rc;
}

// Returns: false when memory is refused or a buffer cannot be read.
bool RequestStream::QueueInput(ngx_chain_t* in) noexcept {
  for (; in != nullptr; in = in->next) {
    ngx_buf_t* buffer = in->buf;
    const bool has_bytes = ngx_buf_size(buffer) > 0;
    if (has_bytes && !ngx_buf_in_memory(buffer) && !ReadsFiles()) return false;
    if (!has_bytes && !buffer->flush && !buffer->last_buf) continue;
    Input* input = free_inputs_;
    if (input != nullptr) {
      free_inputs_ = input->next;
    } else {
      input = static_cast<Input*>(ngx_palloc(request_->pool, sizeof(Input)));
      if (input == nullptr) return false;
    }
    *input = {nullptr, has_bytes ? buffer : nullptr, buffer->flush == 1,
              buffer->last_buf == 1};
    *last_input_ = input;
    last_input_ = &input->next;
  }
  return true;
}

void RequestStream::FeedInput() noexcept {
  while (first_input_ != nullptr && !finished_) {
    Input* input = first_input_;
    if (input->buffer != nullptr) {
      if (!FeedBytes(input->buffer)) return;
      input->buffer = nullptr;
    }
    if (input->last) {
      finished_ = true;
      stream_->Finish();
    } else if (input->flush && !stream_->Flush()) {
      return;
    }
    first_input_ = input->next;
    if (first_input_ == nullptr) last_input_ = &first_input_;
    input->next = free_inputs_;
    free_inputs_ = input;
  }
}

// Returns: whether the stream has taken all of the buffer.
bool RequestStream::FeedBytes(ngx_buf_t* buffer) noexcept {
  if (!ngx_buf_in_memory(buffer)) return FeedFile(buffer);
  const std::size_t size = static_cast<std::size_t>(buffer->last - buffer->pos);
  const std::size_t taken = stream_->Feed({buffer->pos, size});
  buffer->pos += taken;
  bytes_in_ += taken;
  return taken == size;
}

bool RequestStream::FeedFile(ngx_buf_t* buffer) noexcept {
  const off_t size = buffer->file_last - buffer->file_pos;
  const std::size_t taken =
      stream_->FeedFrom({ReadFile, buffer->file->fd,
                         static_cast<std::uint64_t>(buffer->file_pos)},
                        static_cast<std::uint64_t>(size));
  buffer->file_pos += static_cast<off_t>(taken);
  bytes_in_ += taken;
  return static_cast<off_t>(taken) == size;
}

// Adds an empty buffer to a chain. Returns: nullptr when memory is refused.
ngx_chain_t* RequestStream::AppendBuffer(ngx_chain_t*** last) noexcept {
  ngx_chain_t* link = ngx_chain_get_free_buf(request_->pool, &free_);
  if (link == nullptr) return nullptr;
  ngx_memzero(link->buf, sizeof(ngx_buf_t));
  link->buf->tag = &ngx_http_sidepress_module;
  link->next = nullptr;
  **last = link;
  *last = &link->next;
  return link;
}

ngx_int_t RequestStream::CollectOutput(ngx_chain_t** out) noexcept {
  ngx_chain_t** last = out;
  ngx_buf_t* buffer = nullptr;
  while (engine::OutputBlock* block = stream_->TakeOutput()) {
    ngx_chain_t* link = AppendBuffer(&last);
    if (link == nullptr) return NGX_ERROR;
    buffer = link->buf;
    buffer->start = buffer->pos = block->data();
    buffer->end = buffer->last = block->data() + block->size;
    buffer->memory = 1;
    bytes_out_ += block->size;
  }
  const bool end = stream_->ended() && state_ == State::kOpen;
  // NGINX's write filter holds small buffers back (postpone_output).
  const bool full = buffer != nullptr && stream_->output_full();
  const bool flush = stream_->TakeFlush() || full;
  if (!end && !flush) return NGX_OK;
  if (buffer == nullptr) {
    ngx_chain_t* link = AppendBuffer(&last);
    if (link == nullptr) return NGX_ERROR;
    buffer = link->buf;
  }
  buffer->flush = flush ? 1 : 0;
  if (end) {
    state_ = State::kEndSent;
    buffer->last_buf = 1;
    buffer->last_in_chain = 1;
  }
  return NGX_OK;
}

// Sorts out what the filters below have sent, and gives the blocks back.
void RequestStream::ReturnSent(ngx_chain_t* out) noexcept {
  ngx_chain_update_chains(request_->pool, &free_, &busy_, &out,
                          &ngx_http_sidepress_module);
  for (ngx_chain_t* link = free_; link != nullptr; link = link->next) {
    u_char* data = link->buf->start;
    if (data == nullptr) continue;  // returned before, or never had one
    link->buf->start = nullptr;
    stream_->ReturnOutput(engine::OutputBlock::FromData(data));
  }
}

void RequestStream::UpdateBuffered() noexcept {
  const bool held =
      first_input_ != nullptr || (stream_ != nullptr && stream_->buffered());
  unsigned buffered = request_->connection->buffered;
  buffered = held ? buffered | kBuffered : buffered & ~kBuffered;
  request_->connection->buffered = buffered & 0xffu;
}

// Whether the client has been sent all there is, and waits for compression.
bool RequestStream::ClientWaits() const noexcept {
  return busy_ == nullptr && request_->connection->buffered == kBuffered;
}

void RequestStream::OnTurnEnd(ngx_event_t* event) noexcept {
  auto* self = static_cast<RequestStream*>(event->data);
  if (!self->ClientWaits()) return;
  ngx_http_request_t* r = self->request_;
  ngx_connection_t* c = r->connection;
  // send_timeout is for a client that does not read. NGINX starts it for every
  // response that is not complete, whatever it waits for.
  if (c->write->timer_set && !c->write->delayed) ngx_del_timer(c->write);
  // A client that was gone before NGINX began to watch it causes no event any
  // more. This may end the request, and `self` with it.
  if (c->read->pending_eof && r->read_event_handler == ngx_http_test_reading) {
    ngx_http_test_reading(r);
  }
}

ngx_int_t RequestStream::Fail(const char* reason) noexcept {
  if (reason != nullptr) {
    ngx_log_error(NGX_LOG_ERR, request_->connection->log, 0,
                  "%*s compression of the response stopped: %s",
                  row_.token.size(), row_.token.data(), reason);
  }
  state_ = State::kFailed;
  // Our bit stays set: without it the response would pass for complete.
  return NGX_ERROR;
}

// As if the connection had become writable: the response moves on, and
// whoever waits for room in it, an upstream or a file, is asked for more.
void RequestStream::OnProgress() noexcept {
  ngx_connection_t* c = request_->connection;
  ngx_http_set_log_request(c->log, request_);
  // The write handler may have nothing to write and not come by the filter.
  if (state_ != State::kComplete && Filter(nullptr) == NGX_ERROR) {
    ngx_http_finalize_request(request_, NGX_ERROR);
    ngx_http_run_posted_requests(c);
    return;
  }
  c->write->handler(c->write);
}

}  // namespace sidepress
