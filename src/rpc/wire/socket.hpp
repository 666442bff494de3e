// A TCP connection, and a place where others connect, with blocking calls.
//
// Used by clients and by the ranks of routines. Each call ends with an error rather than wait for a
// peer for longer than its time limit allows. Thread-safety: one thread sends and one receives.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/tls/tls_stream.hpp"
#include "rpc/wire/pace.hpp"

namespace tasuki::rpc {

struct Endpoint {
  std::string host;
  std::uint16_t port = 0;
  bool is_encrypted = false;  ///< By TLS.
};
/// Returns: "host:port".
std::string text_of(const Endpoint& endpoint);
/// Returns: tasuki://HOST:PORT, or tasukis:// if connections to it are encrypted.
std::string url_of(const Endpoint& endpoint);
/// Is that an address, in numbers, of the machine itself?
bool is_loopback(const std::string& host) noexcept;
/// The reverse of text_of. Throws tasuki::error if the text has no port.
Endpoint endpoint_from(const std::string& text);

class Socket {
 public:
  using Seconds = std::chrono::seconds;

  /// Throws tasuki::error that names the endpoint if nobody answers there. The connection also ends
  /// when the peer's host vanishes, after a minute of waiting or of sending in vain.
  static Socket connect(const Endpoint& peer, Seconds timeout);
  /// Takes the descriptor. `peer` is for errors.
  Socket(int descriptor, std::string peer) noexcept;
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  int descriptor() const noexcept { return descriptor_; }
  const std::string& peer() const noexcept { return peer_; }
  /// From now on errors call the peer so.
  void name_peer(std::string peer) { peer_ = std::move(peer); }

  /// From now on all is encrypted. The end that connects wants a certificate of `host`, or proves
  /// that it knows a secret. Throws tasuki::error if the other end does not prove who it is, or not
  /// in time. Requires: nothing has been received.
  void encrypt(const TlsContext& context, const std::string& host, Seconds timeout);
  void encrypt(const std::string& secret, Seconds timeout);
  /// The other end; returns when that has proved who it is.
  void accept_encryption(const TlsContext& context, Seconds timeout);
  /// The same without waiting. Returns: has it? else call it again when there is more to receive.
  bool try_accept_encryption(const TlsContext& context);
  bool is_encrypted() const noexcept { return tls_ != nullptr; }
  /// The peer's address, as another client of this host reaches it.
  std::string peer_host() const;
  /// The address by which the peer reaches this host.
  std::string own_host() const;

  /// How long a peer may take or give less than Pace::least_bytes_per_s, and not what is left; then
  /// transfers throw TooSlow. 0: for ever.
  void set_timeout(Seconds timeout);
  /// The same, for sending alone: a peer that waits for messages may be silent for as long as it
  /// likes.
  void set_send_timeout(Seconds timeout);
  /// While it lives, the socket's time limits do not hold: somebody else watches the peer. After
  /// each, `is_in_vain` is asked whether the wait shall end.
  class Patience {
   public:
    explicit Patience(
        Socket& socket, std::function<bool()> is_in_vain = [] { return false; })
        : socket_(socket) {
      socket_.is_in_vain_ = std::move(is_in_vain);
    }
    ~Patience() { socket_.is_in_vain_ = nullptr; }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

   private:
    Socket& socket_;
  };

  /// Both throw tasuki::error if the connection ends before all is through.
  /// `pieces` are used up.
  void send(std::span<iovec> pieces);
  void send(const void* data, std::size_t bytes);
  void receive(std::span<iovec> pieces);
  void receive(void* data, std::size_t bytes);
  /// Returns: how many bytes have come, at least one and at most as many as the buffer has.
  std::size_t receive_some(std::span<std::byte> buffer);
  /// Returns: the first byte to come, which is still to be received.
  std::byte first_byte();
  /// Returns: has a byte come that is still to be received? Does not wait, be there a part of an
  /// encrypted record or none. Throws tasuki::error if the connection has ended.
  bool has_come();
  /// For who waits by `descriptor`, from time to time. Throws tasuki::error if the system has
  /// repeated in vain for a minute what was sent last.
  void check_host(const char* operation) const;
  /// Does a call wait for the peer to send or to take something? Any thread.
  bool is_waiting() const noexcept { return is_waiting_.load(std::memory_order_relaxed); }
  /// Sent and received so far. Any thread.
  std::int64_t moved_bytes() const noexcept { return moved_bytes_; }
  /// Is there something to receive that `descriptor` does not tell of?
  bool has_ahead() const noexcept {
    return ahead_begin_ != ahead_end_ || (tls_ != nullptr && tls_->has_ahead());
  }
  /// Has the peer ended the connection? Does not wait.
  bool has_ended() const noexcept;
  /// Ends the connection; calls of other threads, that wait, fail. Any thread.
  void shut_down() noexcept;

 private:
  /// Messages are short: their parts are received together, by one system call.
  static constexpr std::size_t ahead_bytes = 4096;

  /// Returns: how many bytes were moved, at least one.
  template <class Transfer>
  std::size_t move_some(const char* operation, Seconds timeout, Transfer transfer_some);
  std::size_t receive_ahead();
  /// As the system's function for a descriptor that does not block.
  ssize_t receive_ahead_now();
  /// Requires, as fill_ahead(): nothing is ahead.
  void make_room_ahead();
  void fill_ahead();
  std::size_t take_ahead(void* to, std::size_t bytes) noexcept;
  void encrypt(std::unique_ptr<TlsStream> made, Seconds timeout);
  void set_blocking(bool blocks);
  /// As the system's function for a descriptor that blocks.
  ssize_t receive_encrypted(void* data, std::size_t bytes);
  ssize_t send_encrypted(std::span<const iovec> pieces);
  template <class Transfer>
  void transfer(std::span<iovec> pieces, const char* operation, Seconds timeout,
                Transfer transfer_some);
  /// Throws TooSlow if the peer has moved too little.
  void check(Pace& pace, std::size_t moved_bytes, const char* operation) const;
  template <class Fault = error>
  [[noreturn]] void refuse(const char* operation, const std::string& happened,
                           const char* remedy) const;

  int descriptor_;
  std::string peer_;
  std::unique_ptr<TlsStream> tls_ = nullptr;  ///< If the connection is encrypted.
  Seconds receive_timeout_{0};
  Seconds send_timeout_{0};
  std::function<bool()> is_in_vain_ = nullptr;  ///< Of patience, if somebody has any.
  std::atomic<std::int64_t> moved_bytes_ = 0;
  std::atomic<bool> is_waiting_ = false;
  std::vector<std::byte> ahead_ = {};  ///< Received, and not asked for yet.
  std::size_t ahead_begin_ = 0;
  std::size_t ahead_end_ = 0;
};

class Listener {
 public:
  /// Port 0 is one that the system chooses. Throws tasuki::error if the port is taken.
  explicit Listener(const Endpoint& address);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  std::uint16_t port() const noexcept { return port_; }
  /// Returns: nothing if nobody has connected, or has gone since; after a moment, if the system
  /// lacks descriptors, which is reported once until there are some again. One thread.
  std::optional<Socket> accept_now();
  /// Throws tasuki::error if nobody connects in time.
  Socket accept(Socket::Seconds timeout);

 private:
  /// Reports the fault if it is new, and waits for a moment.
  void await_descriptors(int fault);

  int descriptor_;
  std::uint16_t port_ = 0;
  bool is_exhausted_ = false;  ///< Was there no descriptor for the last one who came?
};

}  // namespace tasuki::rpc
