// A load generator that keeps to its schedule.
//
// Requests are due at a constant rate, whether or not earlier ones were
// answered, and latency counts from when a request was due. A request that
// waits because every connection is busy is counted with its wait; one that
// is never answered counts with the time until the end.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "bench/response_reader.h"

namespace sidepress::bench {
namespace {

constexpr char kUsage[] =
    "usage: open_loop HOST PORT PATH RATE CONNECTIONS SECONDS HEADER\n"
    "                 [--burst N] [--count N]\n"
    "RATE      requests a second; 0: closed loop, each connection sends when\n"
    "          its last response is complete\n"
    "HEADER    a further header line, such as \"Accept-Encoding: br\", or "
    "\"\"\n"
    "--burst   so many requests are due together (default 1)\n"
    "--count   ends after so many requests\n";

using Ns = std::int64_t;
constexpr Ns kSecond = 1'000'000'000;

// What is still open at the end gets so long, or as long as the run took.
constexpr Ns kLeastGrace = 5 * kSecond;

Ns Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

struct Plan {
  sockaddr_in address = {};
  std::string request;
  double rate = 0;
  std::size_t connections = 1;
  Ns duration = kSecond;
  std::size_t burst = 1;
  std::uint64_t count = UINT64_MAX;
};

struct Connection {
  int socket = -1;
  bool busy = false;
  Ns due = 0;
  bool has_body = false;  // its first byte has come
  ResponseReader reader;
};

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "open_loop: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

class Generator {
 public:
  explicit Generator(const Plan& plan)
      : plan_(plan),
        interval_(plan.rate > 0 ? static_cast<double>(plan.burst) / plan.rate *
                                      static_cast<double>(kSecond)
                                : 0) {
    epoll_ = epoll_create1(0);
    if (epoll_ < 0) Die("epoll_create1");
    connections_.resize(plan.connections);
    for (Connection& connection : connections_) Open(connection);
  }

  void Run();
  void Print();

 private:
  void Open(Connection& connection);
  void Reopen(Connection& connection);
  void MakeDue(Ns now);
  bool Ended(Ns now) const;
  void SendDue();
  void Send(Connection& connection, Ns due);
  void Wait(Ns until);
  void Receive(Connection& connection);
  void Complete(Connection& connection);
  void CountUnfinished();

  const Plan& plan_;
  const double interval_;  // ns between bursts
  int epoll_;
  std::vector<Connection> connections_;
  std::vector<Connection*> free_;
  std::deque<Ns> due_;  // requests that wait for a connection
  std::size_t busy_ = 0;
  std::uint64_t scheduled_ = 0;
  std::uint64_t bursts_ = 0;
  Ns start_ = 0;
  Ns end_ = 0;

  std::vector<Ns> latencies_;
  std::vector<Ns> first_bytes_;
  std::vector<Ns> lags_;  // of sending
  std::uint64_t completed_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t unfinished_ = 0;
  std::uint64_t bytes_ = 0;
};

void Generator::Open(Connection& connection) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket < 0) Die("socket");
  const auto* address = reinterpret_cast<const sockaddr*>(&plan_.address);
  if (connect(socket, address, sizeof(plan_.address)) != 0) Die("connect");
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  fcntl(socket, F_SETFL, O_NONBLOCK);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.ptr = &connection;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) Die("epoll_ctl");
  connection.socket = socket;
  free_.push_back(&connection);
}

void Generator::Reopen(Connection& connection) {
  close(connection.socket);
  if (connection.busy) {
    ++errors_;
    --busy_;
    connection.busy = false;
  } else {
    std::erase(free_, &connection);
  }
  Open(connection);
}

bool Generator::Ended(Ns now) const {
  return now >= start_ + plan_.duration || scheduled_ >= plan_.count;
}

void Generator::MakeDue(Ns now) {
  if (plan_.rate <= 0) {
    while (due_.size() < free_.size() && !Ended(now)) {
      due_.push_back(now);
      ++scheduled_;
    }
    return;
  }
  while (true) {
    const Ns due =
        start_ + static_cast<Ns>(static_cast<double>(bursts_) * interval_);
    if (due > now || Ended(due)) return;
    ++bursts_;
    for (std::size_t i = 0; i < plan_.burst; ++i) due_.push_back(due);
    scheduled_ += plan_.burst;
  }
}

void Generator::SendDue() {
  while (!due_.empty() && !free_.empty()) {
    Connection* connection = free_.back();
    free_.pop_back();
    Send(*connection, due_.front());
    due_.pop_front();
  }
}

void Generator::Send(Connection& connection, Ns due) {
  connection.busy = true;
  connection.due = due;
  connection.has_body = false;
  connection.reader = ResponseReader();
  ++busy_;
  const ssize_t size = static_cast<ssize_t>(plan_.request.size());
  lags_.push_back(Now() - due);
  if (send(connection.socket, plan_.request.data(), plan_.request.size(),
           MSG_NOSIGNAL) != size) {
    Reopen(connection);
  }
}

void Generator::Wait(Ns until) {
  const Ns left = std::max<Ns>(0, until - Now());
  const timespec timeout = {left / kSecond, left % kSecond};
  epoll_event events[64];
  const int count = epoll_pwait2(epoll_, events, 64, &timeout, nullptr);
  if (count < 0 && errno != EINTR) Die("epoll_pwait2");
  for (int i = 0; i < count; ++i) {
    Receive(*static_cast<Connection*>(events[i].data.ptr));
  }
}

void Generator::Receive(Connection& connection) {
  static char buffer[256 * 1024];
  const ssize_t size = recv(connection.socket, buffer, sizeof(buffer), 0);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0 || !connection.busy ||
      !connection.reader.Read({buffer, static_cast<std::size_t>(size)})) {
    Reopen(connection);
    return;
  }
  if (!connection.has_body && connection.reader.body_bytes() > 0) {
    connection.has_body = true;
    first_bytes_.push_back(Now() - connection.due);
  }
  if (connection.reader.complete()) Complete(connection);
}

void Generator::Complete(Connection& connection) {
  latencies_.push_back(Now() - connection.due);
  bytes_ += connection.reader.body_bytes();
  ++completed_;
  --busy_;
  connection.busy = false;
  free_.push_back(&connection);
}

void Generator::CountUnfinished() {
  for (Connection& connection : connections_) {
    if (connection.busy) due_.push_back(connection.due);
  }
  unfinished_ = due_.size();
  for (Ns due : due_) latencies_.push_back(end_ - due);
}

void Generator::Run() {
  start_ = Now();
  const Ns grace = std::max(kLeastGrace, plan_.duration);
  while (true) {
    const Ns now = Now();
    MakeDue(now);
    SendDue();
    const bool ended = Ended(now);
    if (ended && busy_ == 0 && due_.empty()) break;
    const Ns deadline = start_ + plan_.duration + grace;
    if (now >= deadline) break;
    Ns until = ended ? deadline : start_ + plan_.duration;
    if (plan_.rate > 0 && !ended) {
      const double next = static_cast<double>(bursts_) * interval_;
      until = std::min(until, start_ + static_cast<Ns>(next));
    }
    Wait(until);
  }
  end_ = Now();
  CountUnfinished();
}

// The least value that `percent` % of the values do not exceed, in ms.
double Percentile(std::vector<Ns>& values, double percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = static_cast<double>(values.size()) * percent / 100;
  const std::size_t index =
      static_cast<std::size_t>(std::max(rank - 1e-9, 0.0));
  return static_cast<double>(values[std::min(index, values.size() - 1)]) / 1e6;
}

void Generator::Print() {
  const double seconds = static_cast<double>(end_ - start_) / 1e9;
  std::printf(
      "{\"count\": %llu, \"errors\": %llu, \"unfinished\": %llu, "
      "\"seconds\": %.3f, \"per_second\": %.2f, \"p50_ms\": %.4f, "
      "\"p99_ms\": %.4f, \"max_ms\": %.4f, \"first_byte_p50_ms\": %.4f, "
      "\"send_lag_p99_ms\": %.4f, \"bytes\": %llu}\n",
      static_cast<unsigned long long>(completed_),
      static_cast<unsigned long long>(errors_),
      static_cast<unsigned long long>(unfinished_), seconds,
      static_cast<double>(completed_) / seconds, Percentile(latencies_, 50),
      Percentile(latencies_, 99), Percentile(latencies_, 100),
      Percentile(first_bytes_, 50), Percentile(lags_, 99),
      static_cast<unsigned long long>(bytes_));
}

bool ParseOptions(int argc, char** argv, Plan* plan) {
  constexpr int kPositional = 8;
  if (argc < kPositional || (argc - kPositional) % 2 != 0) return false;
  plan->address.sin_family = AF_INET;
  plan->address.sin_port = htons(static_cast<std::uint16_t>(atoi(argv[2])));
  if (inet_pton(AF_INET, argv[1], &plan->address.sin_addr) != 1) return false;
  plan->request = std::string("GET ") + argv[3] +
                  " HTTP/1.1\r\nHost: " + argv[1] + "\r\n" + argv[7] +
                  (*argv[7] ? "\r\n" : "") + "\r\n";
  plan->rate = atof(argv[4]);
  plan->connections = static_cast<std::size_t>(atoi(argv[5]));
  plan->duration = static_cast<Ns>(atof(argv[6]) * 1e9);
  for (int i = kPositional; i < argc; i += 2) {
    const std::string name = argv[i];
    const std::uint64_t value = strtoull(argv[i + 1], nullptr, 10);
    if (value == 0) return false;
    if (name == "--burst") {
      plan->burst = value;
    } else if (name == "--count") {
      plan->count = value;
    } else {
      return false;
    }
  }
  return plan->connections > 0 && plan->duration > 0 && plan->rate >= 0;
}

}  // namespace
}  // namespace sidepress::bench

int main(int argc, char** argv) {
  sidepress::bench::Plan plan;
  if (!sidepress::bench::ParseOptions(argc, argv, &plan)) {
    std::fputs(sidepress::bench::kUsage, stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1);
  sidepress::bench::Generator generator(plan);
  generator.Run();
  generator.Print();
  return 0;
}
