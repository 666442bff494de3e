#include "rpc/wire/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
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
#include <charconv>
#include <chrono>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/wire/interrupt.hpp"
#include "rpc/wire/short_spin.hpp"
#include "rpc/wire/too_slow.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {
namespace {

/// Before it is tried again to accept a connection for which there was no descriptor.
constexpr std::chrono::milliseconds exhausted_pause{10};

constexpr const char* busy_remedy =
    "see whether its process is stopped, or its machine or the network too busy";

std::string system_text(int number) { return std::strerror(number); }

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const Endpoint& endpoint, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(endpoint.port);
  const int result = getaddrinfo(endpoint.host.c_str(), port.c_str(), &hints, &found);
  if (result != 0) {
    throw error("find a host",
                fmt::format("{} has no address: {}", endpoint.host, gai_strerror(result)),
                "check the name in HOST:PORT or tasuki://HOST:PORT");
  }
  return {found, &freeaddrinfo};
}

/// Waits until the descriptor can be read or written. Returns: false if that takes too long.
bool wait_for(int descriptor, short events, Socket::Seconds timeout) {
  pollfd one{descriptor, events, 0};
  const auto limit = std::chrono::milliseconds(timeout).count();
  int result = -1;
  do {
    result = poll(&one, 1, static_cast<int>(std::min<std::int64_t>(limit, INT_MAX)));
  } while (result < 0 && errno == EINTR);
  return result > 0;
}

/// Calls `move_now` until it has moved something, as the system's functions do for a descriptor
/// that blocks. The time limit is of a whole record: a peer may move it byte by byte. Without one
/// it returns from time to time, as if there were a limit, to let the host be looked after.
template <class MoveNow>
ssize_t move_record(int descriptor, Socket::Seconds timeout, MoveNow move_now) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> deadline;
  while (true) {
    short events = 0;
    const ssize_t moved_bytes = move_now(events);
    if (moved_bytes >= 0 || errno != EAGAIN) return moved_bytes;
    int timeout_ms = vanished_host_look_interval_ms;
    if (timeout != Socket::Seconds(0)) {
      if (!deadline) deadline = Clock::now() + timeout;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      timeout_ms = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
    }
    pollfd one{descriptor, events, 0};
    const int ready_count = timeout_ms == 0 ? 0 : poll(&one, 1, timeout_ms);
    if (ready_count == 0) errno = EAGAIN;
    if (ready_count <= 0) return -1;
  }
}

/// Of one end of a connection, in numbers.
template <class NameOf>
std::string host_of(int descriptor, NameOf name_of_end) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  name_of_end(descriptor, reinterpret_cast<sockaddr*>(&address), &bytes);
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), bytes, host.data(), host.size(), nullptr,
              0, NI_NUMERICHOST);
  return host.data();
}

/// Lets messages go at once, the system ask a silent host, and arrays go as fast as this machine's
/// memory: where both ends are on it, no network can be congested, and BBR, which paces what it
/// sends, takes 1.7 times as long (`tasuki bench rpc`, where
/// /proc/sys/net/ipv4/tcp_congestion_control is bbr).
void prepare(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ask_silent_host(descriptor);
  if (host_of(descriptor, getsockname) != host_of(descriptor, getpeername)) return;
  constexpr std::string_view unpaced = "reno";  // Every Linux has it, and lets anybody choose it.
  setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, unpaced.data(), unpaced.size());
}

/// One direction of the connection waits no longer than that; without a limit, until it is time to
/// check that the other host is there.
void limit_waiting(int descriptor, int option, Socket::Seconds timeout) {
  const timeval limit{(timeout.count() == 0 ? vanished_host_look_interval : timeout).count(), 0};
  setsockopt(descriptor, SOL_SOCKET, option, &limit, sizeof limit);
}

/// Does the system lack what an accepted connection needs? It stays in the queue, so that who waits
/// for connections is told of it again at once.
bool is_exhausted(int fault) {
  return fault == EMFILE || fault == ENFILE || fault == ENOBUFS || fault == ENOMEM;
}

/// Returns: 0, or what went wrong.
int connect_within(int descriptor, const addrinfo& address, Socket::Seconds timeout) {
  if (::connect(descriptor, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!wait_for(descriptor, POLLOUT, timeout)) return ETIMEDOUT;
  int result = 0;
  socklen_t bytes = sizeof result;
  getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &bytes);
  return result;
}

/// What is moved is no longer among the pieces.
void advance(std::span<iovec> pieces, std::size_t bytes) {
  for (iovec& piece : pieces) {
    const std::size_t part = std::min(bytes, piece.iov_len);
    piece.iov_base = static_cast<std::byte*>(piece.iov_base) + part;
    piece.iov_len -= part;
    bytes -= part;
    if (bytes == 0) return;
  }
}

}  // namespace

std::string text_of(const Endpoint& endpoint) {
  return fmt::format("{}:{}", endpoint.host, endpoint.port);
}

bool is_loopback(const std::string& host) noexcept {
  const auto is_address = [&host](int family) {
    in6_addr address{};
    return inet_pton(family, host.c_str(), &address) == 1;
  };
  if (host.starts_with("127.")) return is_address(AF_INET);
  return host == "::1" || (host.starts_with("::ffff:127.") && is_address(AF_INET6));
}

std::string url_of(const Endpoint& endpoint) {
  const bool is_version_6 = endpoint.host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", endpoint.is_encrypted ? "tasukis" : "tasuki",
                     is_version_6 ? '[' + endpoint.host + ']' : endpoint.host, endpoint.port);
}

Endpoint endpoint_from(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::uint16_t port = 0;
  if (colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto [last, fault] = std::from_chars(text.data() + colon + 1, end, port);
    if (fault == std::errc() && last == end) return {text.substr(0, colon), port, false};
  }
  throw error("find a server", fmt::format("{} is not HOST:PORT", text), "give host and port");
}

Socket Socket::connect(const Endpoint& peer, Seconds timeout) {
  const Addresses addresses = resolve(peer, 0);
  int fault = 0;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    Socket made(::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                text_of(peer));
    if (made.descriptor_ < 0) continue;
    fault = connect_within(made.descriptor_, *one, timeout);
    if (fault == 0) {
      prepare(made.descriptor_);
      made.set_timeout(Seconds(0));
      return made;
    }
  }
  throw error("connect", fmt::format("{} does not answer: {}", text_of(peer), system_text(fault)),
              "check host and port, and that the server runs");
}

Socket::Socket(int descriptor, std::string peer) noexcept
    : descriptor_(descriptor), peer_(std::move(peer)) {}

Socket::Socket(Socket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      peer_(std::move(other.peer_)),
      tls_(std::move(other.tls_)),
      receive_timeout_(other.receive_timeout_),
      send_timeout_(other.send_timeout_),
      moved_bytes_(other.moved_bytes()),
      ahead_(std::move(other.ahead_)),
      ahead_begin_(std::exchange(other.ahead_begin_, 0)),
      ahead_end_(std::exchange(other.ahead_end_, 0)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(peer_, other.peer_);
  std::swap(tls_, other.tls_);
  std::swap(receive_timeout_, other.receive_timeout_);
  std::swap(send_timeout_, other.send_timeout_);
  moved_bytes_ = other.moved_bytes_.exchange(moved_bytes_);
  std::swap(ahead_, other.ahead_);
  std::swap(ahead_begin_, other.ahead_begin_);
  std::swap(ahead_end_, other.ahead_end_);
  return *this;
}

Socket::~Socket() {
  tls_.reset();
  if (descriptor_ >= 0) close(descriptor_);
}

void Socket::set_timeout(Seconds timeout) {
  receive_timeout_ = timeout;
  set_blocking(tls_ == nullptr);
  limit_waiting(descriptor_, SO_RCVTIMEO, timeout);
  set_send_timeout(timeout);
}

void Socket::set_blocking(bool blocks) {
  const int flags = fcntl(descriptor_, F_GETFL);
  fcntl(descriptor_, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

void Socket::encrypt(const TlsContext& context, const std::string& host, Seconds timeout) {
  encrypt(TlsStream::to_server(descriptor_, context, host), timeout);
}

void Socket::encrypt(const std::string& secret, Seconds timeout) {
  encrypt(TlsStream::by_secret(descriptor_, secret), timeout);
}

void Socket::accept_encryption(const TlsContext& context, Seconds timeout) {
  encrypt(TlsStream::accepted(descriptor_, context), timeout);
}

void Socket::encrypt(std::unique_ptr<TlsStream> made, Seconds timeout) {
  tls_ = std::move(made);
  set_blocking(false);
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (const short events = tls_->shake_hands(peer_)) {
    const auto left = std::chrono::ceil<Seconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !wait_for(descriptor_, events, left)) {
      throw error("encrypt a connection", fmt::format("{} does not answer in time", peer_),
                  "check that it speaks TLS, and that it is not too busy");
    }
  }
}

bool Socket::try_accept_encryption(const TlsContext& context) {
  if (tls_ == nullptr) {
    tls_ = TlsStream::accepted(descriptor_, context);
    set_blocking(false);
  }
  return tls_->shake_hands(peer_) == 0;
}

ssize_t Socket::receive_encrypted(void* data, std::size_t bytes) {
  return move_record(descriptor_, receive_timeout_,
                     [&](short& events) { return tls_->receive(data, bytes, events); });
}

ssize_t Socket::send_encrypted(std::span<const iovec> pieces) {
  return move_record(descriptor_, send_timeout_,
                     [&](short& events) { return tls_->send(pieces, events); });
}

void Socket::set_send_timeout(Seconds timeout) {
  send_timeout_ = timeout;
  limit_waiting(descriptor_, SO_SNDTIMEO, timeout);
}

template <class Fault>
void Socket::refuse(const char* operation, const std::string& happened, const char* remedy) const {
  throw Fault(operation, fmt::format("{} {}", peer_, happened), remedy);
}

template <class Transfer>
std::size_t Socket::move_some(const char* operation, Seconds timeout, Transfer transfer_some) {
  const bool is_unlimited = timeout.count() == 0;
  while (true) {
    is_waiting_.store(true, std::memory_order_relaxed);
    const ssize_t bytes = transfer_some();
    is_waiting_.store(false, std::memory_order_relaxed);
    if (bytes > 0) {
      moved_bytes_.fetch_add(bytes, std::memory_order_relaxed);
      return static_cast<std::size_t>(bytes);
    }
    const int fault = bytes < 0 ? errno : 0;
    const bool is_signalled = fault == EINTR;
    if (is_signalled && is_interrupted()) throw Interrupted(operation);
    if (!is_signalled && fault != EAGAIN && fault != EWOULDBLOCK) {
      refuse(operation, bytes == 0 ? "closed the connection" : "is gone: " + system_text(fault),
             "see whether it still runs and what it has printed, then call again");
    }
    // After a signal the wait begins anew: with more signals its time would never be over.
    check_host(operation);
    if (is_unlimited || (is_in_vain_ ? !is_in_vain_() : is_signalled)) continue;
    refuse<TooSlow>(operation, "did nothing for too long", busy_remedy);
  }
}

void Socket::check_host(const char* operation) const {
  if (!has_vanished_host(descriptor_)) return;
  refuse(operation, "does not answer: its host has vanished",
         "see whether that host runs, and whether the network reaches it");
}

void Socket::check(Pace& pace, std::size_t moved_bytes, const char* operation) const {
  if (is_in_vain_ || pace.keeps_up(moved_bytes)) return;
  refuse<TooSlow>(operation, "did too little for too long", busy_remedy);
}

template <class Transfer>
void Socket::transfer(std::span<iovec> pieces, const char* operation, Seconds timeout,
                      Transfer transfer_some) {
  Pace pace(timeout);
  std::size_t moved_bytes = 0;
  while (true) {
    while (!pieces.empty() && pieces.front().iov_len == 0) pieces = pieces.subspan(1);
    if (pieces.empty()) return;
    if (moved_bytes > 0) check(pace, moved_bytes, operation);
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
    moved_bytes = move_some(operation, timeout, [&] { return transfer_some(&message); });
    advance(pieces, moved_bytes);
  }
}

void Socket::send(std::span<iovec> pieces) {
  transfer(pieces, "send", send_timeout_, [this](const msghdr* message) {
    if (tls_ != nullptr) return send_encrypted({message->msg_iov, message->msg_iovlen});
    return sendmsg(descriptor_, message, MSG_NOSIGNAL);
  });
}

void Socket::send(const void* data, std::size_t bytes) {
  iovec piece{const_cast<void*>(data), bytes};
  send(std::span(&piece, 1));
}

void Socket::receive(std::span<iovec> pieces) {
  for (iovec& piece : pieces) {
    const std::size_t taken = take_ahead(piece.iov_base, piece.iov_len);
    piece.iov_base = static_cast<std::byte*>(piece.iov_base) + taken;
    piece.iov_len -= taken;
  }
  transfer(pieces, "receive", receive_timeout_, [this](msghdr* message) {
    if (tls_ != nullptr) {
      return receive_encrypted(message->msg_iov->iov_base, message->msg_iov->iov_len);
    }
    return recvmsg(descriptor_, message, MSG_WAITALL);
  });
}

void Socket::receive(void* data, std::size_t bytes) {
  iovec piece{data, bytes};
  if (bytes >= ahead_bytes) return receive(std::span(&piece, 1));
  auto* to = static_cast<std::byte*>(data);
  Pace pace(receive_timeout_);
  while (true) {
    const std::size_t taken = take_ahead(to, bytes);
    to += taken;
    bytes -= taken;
    if (bytes == 0) return;
    if (taken > 0) check(pace, taken, "receive");
    fill_ahead();
  }
}

void Socket::make_room_ahead() {
  if (ahead_.empty()) ahead_.resize(ahead_bytes);
  ahead_begin_ = 0;
  ahead_end_ = 0;
}

void Socket::fill_ahead() {
  make_room_ahead();
  ahead_end_ = receive_ahead();
}

std::byte Socket::first_byte() {
  if (ahead_begin_ == ahead_end_) fill_ahead();
  return ahead_[ahead_begin_];
}

std::size_t Socket::receive_some(std::span<std::byte> buffer) {
  if (const std::size_t taken = take_ahead(buffer.data(), buffer.size())) return taken;
  return move_some("receive", receive_timeout_, [&] {
    return tls_ != nullptr ? receive_encrypted(buffer.data(), buffer.size())
                           : recv(descriptor_, buffer.data(), buffer.size(), 0);
  });
}

std::size_t Socket::receive_ahead() {
  ssize_t bytes = 0;
  const auto wait_and_receive = [&] {
    return tls_ == nullptr ? recv(descriptor_, ahead_.data(), ahead_.size(), 0)
                           : receive_encrypted(ahead_.data(), ahead_.size());
  };
  is_waiting_.store(true, std::memory_order_relaxed);
  bool is_first = short_spin([&] {
    bytes = receive_ahead_now();
    return bytes >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
  });
  return move_some("receive", receive_timeout_,
                   [&] { return std::exchange(is_first, false) ? bytes : wait_and_receive(); });
}

ssize_t Socket::receive_ahead_now() {
  short events = 0;
  return tls_ == nullptr ? recv(descriptor_, ahead_.data(), ahead_.size(), MSG_DONTWAIT)
                         : tls_->receive(ahead_.data(), ahead_.size(), events);
}

bool Socket::has_come() {
  if (ahead_begin_ != ahead_end_) return true;
  make_room_ahead();
  const ssize_t bytes = receive_ahead_now();
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
  ahead_end_ = move_some("receive", receive_timeout_, [bytes] { return bytes; });
  return true;
}

std::size_t Socket::take_ahead(void* to, std::size_t bytes) noexcept {
  const std::size_t taken = std::min(bytes, ahead_end_ - ahead_begin_);
  if (taken == 0) return 0;
  std::memcpy(to, ahead_.data() + ahead_begin_, taken);
  ahead_begin_ += taken;
  return taken;
}

std::string Socket::peer_host() const { return host_of(descriptor_, getpeername); }

std::string Socket::own_host() const { return host_of(descriptor_, getsockname); }

bool Socket::has_ended() const noexcept {
  pollfd one{descriptor_, POLLRDHUP, 0};
  return poll(&one, 1, 0) > 0;
}

void Socket::shut_down() noexcept { shutdown(descriptor_, SHUT_RDWR); }

Listener::Listener(const Endpoint& address) {
  const Addresses addresses = resolve(address, AI_PASSIVE);
  const addrinfo& first = *addresses;
  descriptor_ = ::socket(first.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_storage own{};
  socklen_t bytes = sizeof own;
  const bool listens = descriptor_ >= 0 &&
                       bind(descriptor_, first.ai_addr, first.ai_addrlen) == 0 &&
                       listen(descriptor_, SOMAXCONN) == 0 &&
                       getsockname(descriptor_, reinterpret_cast<sockaddr*>(&own), &bytes) == 0;
  if (!listens) {
    const int fault = errno;
    if (descriptor_ >= 0) close(descriptor_);
    throw error("listen", fmt::format("{}: {}", text_of(address), system_text(fault)),
                "choose another port");
  }
  port_ = ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                                          : reinterpret_cast<const sockaddr_in&>(own).sin_port);
}

Listener::~Listener() { close(descriptor_); }

std::optional<Socket> Listener::accept_now() {
  const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) {
    if (is_exhausted(errno)) await_descriptors(errno);
    return {};
  }
  is_exhausted_ = false;
  prepare(descriptor);
  Socket made(descriptor, "the client");
  made.set_timeout(Socket::Seconds(0));
  return made;
}

void Listener::await_descriptors(int fault) {
  if (!std::exchange(is_exhausted_, true)) {
    base::report(error("accept", fmt::format("connections have to wait: {}", system_text(fault)),
                       "let fewer connect, or allow more descriptors (ulimit -n)")
                     .what());
  }
  std::this_thread::sleep_for(exhausted_pause);
}

Socket Listener::accept(Socket::Seconds timeout) {
  while (true) {
    if (!wait_for(descriptor_, POLLIN, timeout)) {
      throw error("accept", "nobody connected in time",
                  "check that the client can reach this host");
    }
    if (std::optional<Socket> socket = accept_now()) return std::move(*socket);
  }
}

}  // namespace tasuki::rpc
