#include "rpc/tls/tls_stream.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "rpc/tls/certificate.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

std::optional<std::string> ticket_of(std::string_view identity) {
  return identity == identity_of("ticket") ? std::optional<std::string>("ticket") : std::nullopt;
}

/// Two ends of a connection that does not block, each of which is encrypted by the test.
class TlsStreamTest : public testing::Test {
 protected:
  TlsStreamTest() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, descriptors_.data()), 0);
  }
  ~TlsStreamTest() override {
    near_.reset();
    far_.reset();
    for (const int one : descriptors_) close(one);
  }

  /// As neither waits, they negotiate in turn.
  void shake_hands() {
    bool is_near_ready = false, is_far_ready = false;
    while (!is_near_ready || !is_far_ready) {
      if (!is_near_ready) is_near_ready = near_->shake_hands("the server") == 0;
      if (!is_far_ready) is_far_ready = far_->shake_hands("the client") == 0;
    }
  }
  void connect_by_secret(const std::string& secret) {
    near_ = TlsStream::by_secret(descriptors_[0], secret);
    far_ = TlsStream::accepted(descriptors_[1], TlsContext::for_listeners(ticket_of));
    shake_hands();
  }
  void connect_to(const Certificate& server, const std::string& host, const std::string& ca_file) {
    near_ = TlsStream::to_server(descriptors_[0], TlsContext::for_clients(ca_file), host);
    far_ = TlsStream::accepted(
        descriptors_[1], TlsContext::for_servers(server.certificate(), server.key(), ticket_of));
    shake_hands();
  }
  static ssize_t send(TlsStream& end, std::vector<std::byte>& data, short& events) {
    iovec piece{data.data(), data.size()};
    return end.send({&piece, 1}, events);
  }

  std::array<int, 2> descriptors_{};
  std::unique_ptr<TlsStream> near_;
  std::unique_ptr<TlsStream> far_;
  short events_ = 0;
  std::array<std::byte, 100> buffer_{};
};

TEST_F(TlsStreamTest, NothingIsMovedWhereNothingCan) {
  connect_by_secret("ticket");
  EXPECT_EQ(far_->receive(buffer_.data(), buffer_.size(), events_), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(events_, POLLIN);
  std::vector<std::byte> data = counted(1000);
  ssize_t sent = 0;
  while ((sent = send(*near_, data, events_)) > 0) {
  }
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(events_, POLLOUT);
}

TEST_F(TlsStreamTest, PiecesArriveInOrderHoweverLongTheyAre) {
  connect_by_secret("ticket");
  std::vector<std::byte> data = counted(100'000);
  std::vector<std::byte> received;
  std::size_t sent = 0;
  while (received.size() < data.size()) {
    // Short ones, which go together, before one that is longer than a record.
    std::array<iovec, 3> pieces{};
    std::size_t begin = sent;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::size_t bytes = std::min<std::size_t>(i == 2 ? 40'000 : 7, data.size() - begin);
      pieces[i] = {data.data() + begin, bytes};
      begin += bytes;
    }
    if (sent < data.size()) {
      const ssize_t moved = near_->send(pieces, events_);
      if (moved > 0) sent += static_cast<std::size_t>(moved);
    }
    const ssize_t moved = far_->receive(buffer_.data(), buffer_.size(), events_);
    if (moved > 0) received.insert(received.end(), buffer_.begin(), buffer_.begin() + moved);
  }
  EXPECT_EQ(received, data);
}

TEST_F(TlsStreamTest, WhatHasBeenDecryptedAndNotAskedForIsAhead) {
  connect_by_secret("ticket");
  EXPECT_FALSE(far_->has_ahead());
  std::vector<std::byte> data = counted(buffer_.size());
  ASSERT_EQ(send(*near_, data, events_), 100);
  ASSERT_EQ(far_->receive(buffer_.data(), 40, events_), 40);
  EXPECT_TRUE(far_->has_ahead());
  ASSERT_EQ(far_->receive(buffer_.data(), 100, events_), 60);
  EXPECT_FALSE(far_->has_ahead());
}

TEST_F(TlsStreamTest, TheEndOfAConnectionIsNoError) {
  connect_by_secret("ticket");
  near_.reset();
  EXPECT_EQ(far_->receive(buffer_.data(), buffer_.size(), events_), 0);
}

TEST_F(TlsStreamTest, NeitherIsAConnectionThatIsCut) {
  connect_by_secret("ticket");
  shutdown(descriptors_[0], SHUT_RDWR);
  EXPECT_EQ(far_->receive(buffer_.data(), buffer_.size(), events_), 0);
}

TEST_F(TlsStreamTest, ToSendToWhoHasGoneIsAnErrorWithoutASignal) {
  connect_by_secret("ticket");
  shutdown(descriptors_[1], SHUT_RDWR);
  std::vector<std::byte> data = counted(10);
  EXPECT_EQ(send(*near_, data, events_), -1);  // SIGPIPE would end this process.
  EXPECT_EQ(errno, EPIPE);
}

TEST_F(TlsStreamTest, WhoDoesNotKnowTheTicketIsRefused) {
  EXPECT_NE(happened_in([this] { connect_by_secret("guess"); }), "");
  EXPECT_EQ(happened_in([this] { near_->shake_hands("the server"); }),
            "the server does not know the ticket");
}

TEST_F(TlsStreamTest, WhatIsNoTlsIsRefused) {
  near_ = TlsStream::to_server(descriptors_[0], TlsContext::for_clients(""), "localhost");
  EXPECT_EQ(near_->shake_hands("the server"), POLLIN);
  const std::string plain = "HTTP/1.1 400 Bad Request\r\n";
  ASSERT_GT(write(descriptors_[1], plain.data(), plain.size()), 0);
  EXPECT_EQ(happened_in([this] { near_->shake_hands("the server"); }),
            "the server does not speak TLS");
}

TEST_F(TlsStreamTest, TheCertificateMustBeOfTheHost) {
  const Certificate server("calc.example");
  connect_to(server, "calc.example", server.certificate());
  std::vector<std::byte> data = counted(10);
  EXPECT_EQ(send(*near_, data, events_), 10);
  EXPECT_EQ(far_->receive(buffer_.data(), buffer_.size(), events_), 10);
}

TEST_F(TlsStreamTest, ACertificateOfAnotherHostIsRefused) {
  const Certificate server("calc.example");
  EXPECT_EQ(happened_in([&] { connect_to(server, "other.example", server.certificate()); }),
            "the certificate of the server is no good: hostname mismatch");
}

TEST_F(TlsStreamTest, ACertificateOfAnotherAuthorityIsRefused) {
  const Certificate server("calc.example");
  const Certificate known("calc.example");
  EXPECT_NE(happened_in([&] {
              connect_to(server, "calc.example", known.certificate());
            }).find("the certificate of the server is no good: "),
            std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
