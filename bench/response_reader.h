// Finds the end of an HTTP/1.1 response and counts the bytes of its body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sidepress::bench {

class ResponseReader {
 public:
  // Takes what came from the connection. Returns: false when it is not a
  // response with status 200 and a length, or when bytes follow its end.
  bool Read(std::string_view bytes);

  bool complete() const { return state_ == State::kComplete; }
  // Of the body; the framing of chunks is left out.
  std::uint64_t body_bytes() const { return body_bytes_; }

 private:
  enum class State : unsigned char {
    kHeader,
    kBody,  // `left_` bytes of it
    kChunkSize,
    kChunk,     // `left_` bytes of it, with its line end
    kChunkEnd,  // the last chunk's line end
    kComplete,
  };

  bool ReadHeader(std::string_view* bytes);
  bool ParseHeader(std::string_view header);
  bool ReadLine(std::string_view* bytes);
  void ReadBody(std::string_view* bytes);
  bool ReadChunkSize(std::string_view* bytes);
  void ReadChunk(std::string_view* bytes);

  State state_ = State::kHeader;
  std::string line_;  // or header, as far as it has come
  std::uint64_t left_ = 0;
  std::uint64_t body_bytes_ = 0;
};

}  // namespace sidepress::bench
