#include "transport/ucx/launcher_wireup.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/base/watch_settings.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "transport/watch/host_watch.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr const char* joining = "joining the job";
constexpr const char* finding = "finding the address of a rank";
constexpr const char* leaving = "leaving the job";

/// The first word of what a rank sends; in the order of bytes of the machine, so that ranks of
/// another order are told by it.
constexpr std::uint32_t hello_word = 0x5441534d;
// Of what follows it.
constexpr std::uint32_t allgather_word = 1;
constexpr std::uint32_t sum_word = 2;
constexpr std::uint32_t publish_word = 3;
constexpr std::uint32_t ask_word = 4;
constexpr std::uint32_t finish_word = 5;
constexpr std::uint32_t unreachable_word = 6;
constexpr std::size_t key_bytes = 32;
constexpr std::size_t piece_bytes = 16384;
/// How often a rank that waits for others does what they may need.
constexpr int meanwhile_interval_ms = 1;
/// Within which the launcher ends a rank that is not to report a failure.
constexpr int word_most_ms = 10'000;
constexpr std::int64_t ns_per_ms = 1'000'000;

struct Hello {
  std::uint32_t word = hello_word;
  std::uint32_t rank = 0;
  char key[key_bytes] = {};
};

/// "HOST:PORT KEY".
struct Place {
  std::string host;
  std::string port;
  std::string key;
};

Place place_of_launcher() {
  const std::string text = base::setting::wireup.text();
  const std::size_t space = text.find(' ');
  const std::size_t colon = text.rfind(':', space);
  if (space == std::string::npos || colon == std::string::npos ||
      text.size() - space - 1 != key_bytes) {
    throw error(joining, fmt::format("{} is no address and key", base::setting::wireup.name),
                "start the program with `tasuki run --transport ucx`, which sets it");
  }
  std::string host = text.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return {host, text.substr(colon + 1, space - colon - 1), text.substr(space + 1)};
}

[[noreturn]] void refuse_launcher(const char* operation, const std::string& happened) {
  throw error(operation, happened,
              "see what the launcher has printed, and that no firewall keeps this host from it");
}

/// A socket that is connected within the time, or -1 and errno.
int connect_within(const addrinfo& address, int most_ms) {
  const int descriptor = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  int failure = 0;
  if (::connect(descriptor, address.ai_addr, address.ai_addrlen) != 0) failure = errno;
  if (failure == EINPROGRESS) {
    pollfd event{descriptor, POLLOUT, 0};
    socklen_t length = sizeof failure;
    if (::poll(&event, 1, most_ms) == 1) {
      ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length);
    } else {
      failure = ETIMEDOUT;
    }
  }
  if (failure == 0) return descriptor;
  ::close(descriptor);
  errno = failure;
  return -1;
}

int connect_to(const Place& place, int most_ms) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(place.host.c_str(), place.port.c_str(), &hints, &found);
  if (failure != 0) {
    refuse_launcher(joining, fmt::format("the launcher's host {} is not known here: {}", place.host,
                                         ::gai_strerror(failure)));
  }
  int descriptor = -1;
  for (const addrinfo* next = found; next != nullptr && descriptor < 0; next = next->ai_next) {
    descriptor = connect_within(*next, most_ms);
  }
  const int why = errno;
  ::freeaddrinfo(found);
  if (descriptor < 0) {
    refuse_launcher(joining, fmt::format("the launcher at {} port {} cannot be reached: {}",
                                         place.host, place.port, std::strerror(why)));
  }
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

}  // namespace

LauncherWireup::LauncherWireup()
    : rank_(static_cast<int>(base::setting::rank.integer())),
      size_(static_cast<int>(base::setting::size.integer())),
      most_ms_(static_cast<int>(base::setting::start_timeout.seconds() * 1000)),
      operation_(joining) {
  const Place place = place_of_launcher();
  socket_ = connect_to(place, most_ms_);
  // A program that this one starts is no rank of the job.
  for (const auto* own : {&base::setting::wireup, &base::setting::rank, &base::setting::size}) {
    ::unsetenv(own->name);
  }
  Hello hello;
  hello.rank = static_cast<std::uint32_t>(rank_);
  std::memcpy(hello.key, place.key.data(), key_bytes);
  const auto bytes = std::as_bytes(std::span(&hello, 1));
  outgoing_.assign(bytes.begin(), bytes.end());
  flush_all();
}

LauncherWireup::~LauncherWireup() { ::close(socket_); }

/// Neighbours that have given the same come as one run, so that what all ranks of a node, or all
/// ranks, say alike is sent once.
void LauncherWireup::allgather(std::span<const std::byte> own, std::byte* all) {
  put(allgather_word, static_cast<std::uint32_t>(own.size()), own);
  await_answer(allgather_word, nullptr);
  std::uint32_t runs_count = 0;
  receive(&runs_count, sizeof runs_count);
  std::vector<std::uint32_t> run_counts(runs_count);
  receive(run_counts.data(), run_counts.size() * sizeof(std::uint32_t));
  const std::uint64_t ranks_count =
      std::accumulate(run_counts.begin(), run_counts.end(), std::uint64_t{0});
  if (ranks_count != static_cast<std::uint64_t>(size_)) {
    refuse(fmt::format("the launcher has answered for {} ranks of {}", ranks_count, size_));
  }
  for (const std::uint32_t count : run_counts) {
    receive(all, own.size());
    for (std::uint32_t i = 1; i < count; ++i) std::memcpy(all + i * own.size(), all, own.size());
    all += count * own.size();
  }
}

Wireup::Sums LauncherWireup::sum(const Sums& own, const std::function<void()>& meanwhile) {
  const bool has_started = most_ms_ < 0;
  if (has_started) operation_ = leaving;
  put(sum_word, sizeof own, std::as_bytes(std::span(own)));
  await_answer(sum_word, meanwhile);
  Sums sums;
  receive(&sums, sizeof sums);
  return sums;
}

void LauncherWireup::publish(std::span<const std::byte> own) {
  put(publish_word, static_cast<std::uint32_t>(own.size()), own);
  flush_all();
}

std::string LauncherWireup::await_word_about(int rank) noexcept {
  const int most_ms_before = std::exchange(most_ms_, word_most_ms);
  const std::uint32_t outer_word = awaited_word_;
  std::string host;
  try {
    put(unreachable_word, static_cast<std::uint32_t>(rank), {});
    await_answer(unreachable_word, nullptr);
    std::array<std::uint32_t, 2> head{};  // The rank, the bytes that follow.
    receive(head.data(), sizeof head);
    host.resize(head[1]);
    receive(host.data(), host.size());
  } catch (const error&) {
    host.clear();  // What is to be reported tells more than that the launcher does not answer.
  }
  most_ms_ = most_ms_before;
  awaited_word_ = outer_word;
  received_.insert(received_.begin() + static_cast<std::ptrdiff_t>(read_bytes_), kept_sum_.begin(),
                   kept_sum_.end());
  kept_sum_.clear();
  return host;
}

void LauncherWireup::lift_time_limit() noexcept {
  most_ms_ = -1;
  operation_ = finding;
}

void LauncherWireup::finish() noexcept {
  const std::array<std::uint32_t, 2> words{finish_word, 0};
  [[maybe_unused]] const auto sent = ::send(socket_, words.data(), sizeof words, MSG_NOSIGNAL);
}

// ---- addresses of other ranks ------------------------------------------------------------------

/// Questions leave together, when answers are looked for.
void LauncherWireup::ask(int rank) { put(ask_word, static_cast<std::uint32_t>(rank), {}); }

std::optional<Wireup::Published> LauncherWireup::take_answer() {
  // The poller ends the rank then, and says what it has waited for.
  if (vanished_hosts() != nullptr) return std::nullopt;
  flush();
  if (!answers_.empty()) {
    Published first = std::move(answers_.front());
    answers_.pop_front();
    return first;
  }
  for (;;) {
    if (auto published = take_published()) return published;
    if (!take_in()) return std::nullopt;
  }
}

std::optional<Wireup::Published> LauncherWireup::take_published() {
  std::array<std::uint32_t, 3> head{};  // The word, the rank, the bytes that follow.
  if (unread_bytes() < sizeof head) return std::nullopt;
  std::memcpy(head.data(), received_.data() + read_bytes_, sizeof head);
  if (head[0] == awaited_word_) return std::nullopt;
  if (head[0] != ask_word) refuse("the launcher has answered something else");
  if (unread_bytes() < sizeof head + head[2]) return std::nullopt;
  Published published{static_cast<int>(head[1]), std::vector<std::byte>(head[2])};
  take_out(head.data(), sizeof head);
  take_out(published.bytes.data(), head[2]);
  return published;
}

// ---- what has to be sent and what has come -----------------------------------------------------

void LauncherWireup::put(std::uint32_t word, std::uint32_t argument,
                         std::span<const std::byte> bytes) {
  const std::array<std::uint32_t, 2> words{word, argument};
  const auto head = std::as_bytes(std::span(words));
  outgoing_.insert(outgoing_.end(), head.begin(), head.end());
  outgoing_.insert(outgoing_.end(), bytes.begin(), bytes.end());
}

bool LauncherWireup::flush() {
  while (!outgoing_.empty()) {
    const ssize_t sent = ::send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return false;
    if (sent < 0) refuse_lost();
    outgoing_.erase(outgoing_.begin(), outgoing_.begin() + sent);
  }
  return true;
}

void LauncherWireup::flush_all() {
  const std::int64_t give_up_ns = give_up_time_ns();
  while (!flush()) wait(POLLOUT, give_up_ns);
}

bool LauncherWireup::take_in() {
  std::array<std::byte, piece_bytes> piece;
  ssize_t received = -1;
  do {
    received = ::recv(socket_, piece.data(), piece.size(), 0);
  } while (received < 0 && errno == EINTR);
  if (received < 0 && errno == EAGAIN) return false;
  if (received <= 0) refuse_lost();
  received_.erase(received_.begin(), received_.begin() + std::exchange(read_bytes_, 0));
  received_.insert(received_.end(), piece.begin(), piece.begin() + received);
  return true;
}

void LauncherWireup::await_answer(std::uint32_t word, const std::function<void()>& meanwhile) {
  flush_all();
  const std::uint32_t outer_word = std::exchange(awaited_word_, word);
  const std::int64_t give_up_ns = give_up_time_ns();
  for (;;) {
    std::uint32_t next = 0;
    if (unread_bytes() >= sizeof next) {
      std::memcpy(&next, received_.data() + read_bytes_, sizeof next);
      if (next == word) break;
      if (next == sum_word && outer_word == sum_word) {
        std::vector<std::byte> whole(sizeof next + sizeof(Sums));
        receive(whole.data(), whole.size());
        kept_sum_ = std::move(whole);
        continue;
      }
      if (auto published = take_published()) {
        answers_.push_back(std::move(*published));
        continue;
      }
    }
    if (take_in()) continue;
    if (meanwhile) meanwhile();
    wait(POLLIN, give_up_ns, meanwhile ? meanwhile_interval_ms : check_interval_ms);
  }
  take_out(&awaited_word_, sizeof awaited_word_);
  awaited_word_ = 0;
}

void LauncherWireup::receive(void* bytes, std::size_t count) {
  const std::int64_t give_up_ns = give_up_time_ns();
  while (unread_bytes() < count) {
    if (!take_in()) wait(POLLIN, give_up_ns);
  }
  take_out(bytes, count);
}

void LauncherWireup::take_out(void* bytes, std::size_t count) noexcept {
  if (count != 0) std::memcpy(bytes, received_.data() + read_bytes_, count);
  read_bytes_ += count;
  if (read_bytes_ < received_.size()) return;
  received_.clear();
  read_bytes_ = 0;
}

// ---- waiting -----------------------------------------------------------------------------------

std::int64_t LauncherWireup::give_up_time_ns() const noexcept {
  if (most_ms_ < 0) return std::numeric_limits<std::int64_t>::max();
  return base::now_ns() + most_ms_ * ns_per_ms;
}

void LauncherWireup::wait(short events, std::int64_t give_up_ns, int most_ms) const {
  pollfd event{socket_, events, 0};
  if (::poll(&event, 1, most_ms) > 0) return;
  if (vanished_hosts() != nullptr) refuse_lost();
  if (base::now_ns() < give_up_ns) return;
  refuse(fmt::format("not all ranks have joined within {} s", most_ms_ / 1000));
}

void LauncherWireup::refuse(const std::string& happened) const {
  refuse_launcher(operation_, happened);
}

/// Where the connection breaks because a host has vanished, the watcher may still have to tell.
void LauncherWireup::refuse_lost() const {
  if (!watch::HostWatch::await_verdict()) refuse("the launcher is gone");
  throw error(
      operation_, std::string(vanished_hosts()->what_happened()),
      fmt::format("see whether these hosts are up and the network between them works ({} is "
                  "the time they may be silent)",
                  base::setting::peer_timeout.name));
}

}  // namespace tasuki::transport::ucx
