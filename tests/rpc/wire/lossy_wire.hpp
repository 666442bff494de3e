// A connection that splits, delays and, if asked, loses what passes it, as a seed says.
//
// Under all that has to do with connections: a message may come in any pieces and end anywhere.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Those of WIRE_SEEDS="FIRST LAST", by which ctest asks for more of them.
inline std::vector<unsigned> wire_seeds() {
  const char* const asked = std::getenv("WIRE_SEEDS");
  std::istringstream text(asked == nullptr ? "1 30" : asked);
  unsigned first = 0;
  unsigned last = 0;
  EXPECT_TRUE(text >> first >> last && first <= last) << "WIRE_SEEDS is \"FIRST LAST\"";
  std::vector<unsigned> seeds;
  for (unsigned one = first; one <= last; ++one) seeds.push_back(one);
  return seeds;
}

class LossyWire {
 public:
  static constexpr std::int64_t loses_nothing = std::numeric_limits<std::int64_t>::max();

  /// Between two ends, which the test takes. After `most_bytes` of both directions together the
  /// connection ends.
  explicit LossyWire(unsigned seed, std::int64_t most_bytes = loses_nothing)
      : LossyWire(seed, most_bytes, nullptr) {}
  /// Between one end, which the test takes, and a connection that there is already.
  LossyWire(unsigned seed, std::int64_t most_bytes, Socket far)
      : LossyWire(seed, most_bytes, &far) {}
  ~LossyWire() {
    is_over_ = true;
    thread_.join();
    for (const Direction& one : directions_) close(one.from);
  }
  LossyWire(const LossyWire&) = delete;
  LossyWire& operator=(const LossyWire&) = delete;

  Socket take_near() { return take(near_, "the near end"); }
  Socket take_far() { return take(far_, "the far end"); }
  std::int64_t passed_bytes() const noexcept { return passed_bytes_; }

 private:
  struct Direction {
    int from = -1;
    int to = -1;
    std::vector<char> waiting = {};
    bool has_ended = false;
  };

  static constexpr std::size_t most_at_once_bytes = 64 << 10;
  static constexpr int wake_up_ms = 10;

  LossyWire(unsigned seed, std::int64_t most_bytes, Socket* far)
      : random_(seed), most_bytes_(most_bytes) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    near_ = ends[0];
    const int near_inside = ends[1];
    int far_inside = -1;
    if (far != nullptr) {
      far_inside = dup(far->descriptor());
    } else {
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
      far_ = ends[0];
      far_inside = ends[1];
    }
    directions_ = {Direction{near_inside, far_inside}, Direction{far_inside, near_inside}};
    thread_ = std::thread([this] { pass(); });
  }

  static Socket take(int& descriptor, const char* name) {
    Socket taken(std::exchange(descriptor, -1), name);
    taken.set_timeout(Socket::Seconds(60));
    return taken;
  }

  void pass() {
    while (!is_over_ && passed_bytes_ < most_bytes_ &&
           !(directions_[0].has_ended && directions_[1].has_ended)) {
      for (Direction& one : directions_) receive(one);
      for (Direction& one : directions_) send(one);
      await();
    }
    for (const Direction& one : directions_) shutdown(one.from, SHUT_RDWR);
  }
  /// Waits, not for long, until there is something to do.
  void await() {
    std::array<pollfd, 2> ready{};
    for (std::size_t i = 0; i < 2; ++i) {
      const Direction& out = directions_[1 - i];
      const bool receives = directions_[i].waiting.empty() && !directions_[i].has_ended;
      ready[i].fd = directions_[i].from;
      ready[i].events =
          static_cast<short>((receives ? POLLIN : 0) | (out.waiting.empty() ? 0 : POLLOUT));
      if (ready[i].events == 0) ready[i].fd = -1;  // That its peer has gone is known.
    }
    poll(ready.data(), ready.size(), wake_up_ms);
  }
  static void receive(Direction& one) {
    if (!one.waiting.empty() || one.has_ended) return;
    one.waiting.resize(most_at_once_bytes);
    const ssize_t bytes = recv(one.from, one.waiting.data(), one.waiting.size(), MSG_DONTWAIT);
    one.waiting.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
    if (bytes > 0 || (bytes < 0 && errno == EAGAIN)) return;
    one.has_ended = true;
    shutdown(one.to, SHUT_WR);
  }
  void send(Direction& one) {
    if (one.waiting.empty()) return;
    const std::array<std::size_t, 5> most = {1, 7, 100, 5000, one.waiting.size()};
    std::size_t bytes = 1 + random_() % most[random_() % most.size()];
    if (random_() % 20 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 500));
    bytes = std::min(
        {bytes, one.waiting.size(), static_cast<std::size_t>(most_bytes_ - passed_bytes_)});
    const ssize_t sent = ::send(one.to, one.waiting.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) one.waiting.clear();  // Its peer has gone.
    if (sent <= 0) return;
    one.waiting.erase(one.waiting.begin(), one.waiting.begin() + sent);
    passed_bytes_ += sent;
  }

  std::mt19937 random_;
  const std::int64_t most_bytes_;
  int near_ = -1;
  int far_ = -1;
  std::array<Direction, 2> directions_;
  std::atomic<std::int64_t> passed_bytes_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace tasuki::rpc
