#include "rpc/tls/tls_stream.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/tls/tls_secret.hpp"

namespace tasuki::rpc {
namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr const char* operation = "encrypt a connection";
/// Of TLS: longer ones are divided.
constexpr std::size_t record_most_bytes = SSL3_RT_MAX_PLAIN_LENGTH;

/// While it lives, a peer that has gone sends this thread no SIGPIPE, which OpenSSL cannot prevent.
class NoBrokenPipe {
 public:
  NoBrokenPipe() noexcept {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const int fault = errno;
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) {
      if (fault != 0) sigtimedwait(&broken_pipe_, nullptr, &at_once);
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    errno = fault;
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
};

const TlsContext& context_for_secrets() {
  static const TlsContext context = TlsContext::for_secrets();
  return context;
}

std::string reason_of(unsigned long fault) {
  const char* const reason = ERR_reason_error_string(fault);
  return reason == nullptr ? "the negotiation failed" : reason;
}

}  // namespace

TlsStream::TlsStream(int descriptor, TlsContext context, Role role)
    : context_(std::move(context)),
      role_(role),
      secret_(std::make_unique<KnownSecret>()),
      connection_(SSL_new(context_.get()), SSL_free),
      record_(record_most_bytes) {
  if (!connection_ || SSL_set_fd(connection_.get(), descriptor) != 1) {
    throw error(operation, "there is no memory for it", "end other programs");
  }
  if (role == Role::accepted) {
    SSL_set_accept_state(connection_.get());
  } else {
    SSL_set_connect_state(connection_.get());
  }
}

TlsStream::~TlsStream() {
  const NoBrokenPipe no_signal;
  // The peer learns that nobody has cut the connection short, if it still listens.
  ERR_clear_error();
  if (SSL_is_init_finished(connection_.get()) != 0) SSL_shutdown(connection_.get());
}

std::unique_ptr<TlsStream> TlsStream::to_server(int descriptor, const TlsContext& context,
                                                const std::string& host) {
  std::unique_ptr<TlsStream> made(new TlsStream(descriptor, context, Role::to_server));
  SSL* const connection = made->connection_.get();
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(connection);
  if (X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) != 1) {
    SSL_set_tlsext_host_name(connection, host.c_str());
    SSL_set1_host(connection, host.c_str());
  }
  return made;
}

std::unique_ptr<TlsStream> TlsStream::by_secret(int descriptor, const std::string& secret) {
  std::unique_ptr<TlsStream> made(
      new TlsStream(descriptor, context_for_secrets(), Role::by_secret));
  *made->secret_ = {secret, identity_of(secret)};
  set_secret(made->connection_.get(), made->secret_.get());
  return made;
}

std::unique_ptr<TlsStream> TlsStream::accepted(int descriptor, const TlsContext& context) {
  return std::unique_ptr<TlsStream>(new TlsStream(descriptor, context, Role::accepted));
}

short TlsStream::shake_hands(const std::string& peer) {
  const NoBrokenPipe no_signal;
  const Guard guard(mutex_);
  ERR_clear_error();
  errno = 0;
  const int result =
      role_ == Role::accepted ? SSL_accept(connection_.get()) : SSL_connect(connection_.get());
  if (result == 1) {
    if (role_ == Role::by_secret && SSL_session_reused(connection_.get()) != 1) {
      refuse(peer, SSL_ERROR_SSL, 0);
    }
    return 0;
  }
  const int kind = SSL_get_error(connection_.get(), result);
  if (kind == SSL_ERROR_WANT_READ) return POLLIN;
  if (kind == SSL_ERROR_WANT_WRITE) return POLLOUT;
  refuse(peer, kind, errno);
}

void TlsStream::refuse(const std::string& peer, int kind, int fault) const {
  const unsigned long first = ERR_peek_error();
  if (role_ == Role::by_secret) {
    throw error(operation, fmt::format("{} does not know the ticket", peer), "call again");
  }
  if (role_ == Role::accepted) {
    throw error(operation, fmt::format("{}: {}", peer, reason_of(first)),
                "see what it has been told");
  }
  const long verified = SSL_get_verify_result(connection_.get());
  if (verified != X509_V_OK) {
    throw error("connect",
                fmt::format("the certificate of {} is no good: {}", peer,
                            X509_verify_cert_error_string(verified)),
                "name the host as the certificate does, and give the certificate of its authority "
                "as ca_file, --ca-file or TASUKI_CA_FILE");
  }
  const bool is_cut =
      kind == SSL_ERROR_SYSCALL || ERR_GET_REASON(first) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
  if (is_cut || ERR_GET_REASON(first) == SSL_R_WRONG_VERSION_NUMBER) {
    throw error(
        "connect",
        fmt::format("{} does not speak TLS{}", peer,
                    fault == 0 ? "" : std::string(", or just ends: ") + std::strerror(fault)),
        "try again; give tasuki:// in place of tasukis:// if it is on this machine and has "
        "no TLS, else ask its operator");
  }
  throw error("connect", fmt::format("{}: {}", peer, reason_of(first)),
              "let server and client use versions of OpenSSL that know each other");
}

ssize_t TlsStream::outcome(int result, std::size_t bytes, short& events) noexcept {
  if (result == 1) return static_cast<ssize_t>(bytes);
  const int fault = errno;
  switch (SSL_get_error(connection_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      events = POLLIN;
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_WANT_WRITE:
      events = POLLOUT;
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    case SSL_ERROR_SYSCALL:
      errno = fault;
      return fault == 0 ? 0 : -1;
    default:
      if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) return 0;
      errno = EPROTO;
      return -1;
  }
}

ssize_t TlsStream::receive(void* data, std::size_t bytes, short& events) noexcept {
  const NoBrokenPipe no_signal;  // What is received may have to be answered.
  const Guard guard(mutex_);
  ERR_clear_error();
  errno = 0;
  std::size_t moved_bytes = 0;
  const int result = SSL_read_ex(connection_.get(), data, bytes, &moved_bytes);
  needs_more_ = result != 1 && SSL_want_read(connection_.get()) != 0;
  return outcome(result, moved_bytes, events);
}

ssize_t TlsStream::send(std::span<const iovec> pieces, short& events) noexcept {
  const std::span<const std::byte> record = next_record(pieces);
  const NoBrokenPipe no_signal;
  const Guard guard(mutex_);
  ERR_clear_error();
  errno = 0;
  std::size_t moved_bytes = 0;
  const int result = SSL_write_ex(connection_.get(), record.data(), record.size(), &moved_bytes);
  return outcome(result, moved_bytes, events);
}

std::span<const std::byte> TlsStream::next_record(std::span<const iovec> pieces) noexcept {
  const iovec& first = pieces.front();
  if (pieces.size() == 1 || first.iov_len >= record_most_bytes) {
    return {static_cast<const std::byte*>(first.iov_base), first.iov_len};
  }
  std::size_t used_bytes = 0;
  for (const iovec& one : pieces) {
    const std::size_t part = std::min(one.iov_len, record_most_bytes - used_bytes);
    std::memcpy(record_.data() + used_bytes, one.iov_base, part);
    used_bytes += part;
    if (used_bytes == record_most_bytes) break;
  }
  return {record_.data(), used_bytes};
}

bool TlsStream::has_ahead() const noexcept {
  const Guard guard(mutex_);
  return !needs_more_ && SSL_has_pending(connection_.get()) != 0;
}

}  // namespace tasuki::rpc
