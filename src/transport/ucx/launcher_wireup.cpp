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
#include <numeric>
#include <string>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* operation = "joining the job";

/// The first word of what a rank sends; in the order of bytes of the machine, so that ranks of
/// another order are told by it.
constexpr std::uint32_t hello_word = 0x5441534c;
// Of what follows it.
constexpr std::uint32_t allgather_word = 1;
constexpr std::uint32_t sum_word = 2;
constexpr std::uint32_t publish_word = 3;
constexpr std::uint32_t ask_word = 4;
constexpr std::uint32_t finish_word = 5;
constexpr std::size_t key_bytes = 32;
/// How often a rank that waits without a limit checks for hosts that have vanished.
constexpr int check_interval_ms = 100;

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
    throw error(operation, fmt::format("{} is no address and key", base::setting::wireup.name),
                "start the program with `tasuki run --transport ucx`, which sets it");
  }
  std::string host = text.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return {host, text.substr(colon + 1, space - colon - 1), text.substr(space + 1)};
}

[[noreturn]] void refuse(const std::string& happened) {
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
    refuse(fmt::format("the launcher's host {} is not known here: {}", place.host,
                       ::gai_strerror(failure)));
  }
  int descriptor = -1;
  for (const addrinfo* next = found; next != nullptr && descriptor < 0; next = next->ai_next) {
    descriptor = connect_within(*next, most_ms);
  }
  const int why = errno;
  ::freeaddrinfo(found);
  if (descriptor < 0) {
    refuse(fmt::format("the launcher at {} port {} cannot be reached: {}", place.host, place.port,
                       std::strerror(why)));
  }
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

}  // namespace

LauncherWireup::LauncherWireup()
    : rank_(static_cast<int>(base::setting::rank.integer())),
      size_(static_cast<int>(base::setting::size.integer())),
      most_ms_(static_cast<int>(base::setting::start_timeout.seconds() * 1000)) {
  const Place place = place_of_launcher();
  socket_ = connect_to(place, most_ms_);
  // A program that this one starts is no rank of the job.
  for (const auto* own : {&base::setting::wireup, &base::setting::rank, &base::setting::size}) {
    ::unsetenv(own->name);
  }
  Hello hello;
  hello.rank = static_cast<std::uint32_t>(rank_);
  std::memcpy(hello.key, place.key.data(), key_bytes);
  send(&hello, sizeof hello);
}

LauncherWireup::~LauncherWireup() { ::close(socket_); }

/// Neighbours that have given the same come as one run, so that what all ranks of a node, or all
/// ranks, say alike is sent once.
void LauncherWireup::allgather(std::span<const std::byte> own, std::byte* all) {
  send(allgather_word, static_cast<std::uint32_t>(own.size()), own);
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

Wireup::Sums LauncherWireup::sum(const Sums& own) {
  send(sum_word, sizeof own, std::as_bytes(std::span(own)));
  Sums sums;
  receive(&sums, sizeof sums);
  return sums;
}

void LauncherWireup::publish(std::span<const std::byte> own) {
  send(publish_word, static_cast<std::uint32_t>(own.size()), own);
}

std::vector<std::byte> LauncherWireup::ask(int rank) {
  send(ask_word, static_cast<std::uint32_t>(rank), {});
  std::uint32_t bytes = 0;
  receive(&bytes, sizeof bytes);
  std::vector<std::byte> answer(bytes);
  receive(answer.data(), answer.size());
  return answer;
}

void LauncherWireup::finish() noexcept {
  const std::array<std::uint32_t, 2> words{finish_word, 0};
  [[maybe_unused]] const auto sent = ::send(socket_, words.data(), sizeof words, MSG_NOSIGNAL);
}

void LauncherWireup::send(std::uint32_t word, std::uint32_t argument,
                          std::span<const std::byte> bytes) {
  const std::array<std::uint32_t, 2> words{word, argument};
  std::vector<std::byte> whole(sizeof words + bytes.size());
  std::memcpy(whole.data(), words.data(), sizeof words);
  std::copy(bytes.begin(), bytes.end(), whole.begin() + sizeof words);
  send(whole.data(), whole.size());
}

void LauncherWireup::send(const void* bytes, std::size_t count) {
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket_, next, count, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
      pollfd event{socket_, POLLOUT, 0};
      ::poll(&event, 1, -1);
      continue;
    }
    if (sent <= 0) refuse(fmt::format("the launcher is gone ({})", std::strerror(errno)));
    next += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

void LauncherWireup::receive(void* bytes, std::size_t count) {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    pollfd event{socket_, POLLIN, 0};
    if (::poll(&event, 1, most_ms_ >= 0 ? most_ms_ : check_interval_ms) == 0) {
      if (most_ms_ >= 0) {
        refuse(fmt::format("not all ranks have joined within {} s", most_ms_ / 1000));
      }
      if (vanished_hosts() != nullptr) refuse("hosts have vanished, maybe that of the launcher");
      continue;
    }
    const ssize_t received = ::recv(socket_, next, count, 0);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (received <= 0) refuse("the launcher is gone");
    next += received;
    count -= static_cast<std::size_t>(received);
  }
}

}  // namespace tasuki::transport::ucx
