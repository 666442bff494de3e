#include "rpc/tls/tls_context.hpp"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <future>
#include <optional>
#include <string>
#include <string_view>

#include "rpc/tls/certificate.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds patience{60};

std::optional<std::string> nobody(std::string_view) { return {}; }
std::optional<std::string> ticket_of(std::string_view identity) {
  return identity == identity_of("ticket") ? std::optional<std::string>("ticket") : std::nullopt;
}

/// What goes wrong at the end that accepts while the other one connects like that.
template <class Connect>
std::string accepted(const TlsContext& context, Connect connect) {
  auto [near, far] = connected();
  const auto other = std::async(std::launch::async, [&, &far = far] {
    happened_in([&] { connect(far); });
    far.shut_down();
  });
  return happened_in([&, &near = near] { near.accept_encryption(context, patience); });
}

TEST(TlsContextTest, FilesThatAreNotThereAreNamed) {
  const Certificate made("localhost");
  EXPECT_EQ(happened_in([] { TlsContext::for_clients("/no/ca.pem"); }),
            "/no/ca.pem: No such file or directory");
  EXPECT_EQ(happened_in([&] { TlsContext::for_servers("/no/cert.pem", made.key(), nobody); }),
            "/no/cert.pem: No such file or directory");
  EXPECT_EQ(
      happened_in([&] { TlsContext::for_servers(made.certificate(), "/no/key.pem", nobody); }),
      "/no/key.pem: No such file or directory");
}

TEST(TlsContextTest, FilesMustBeOfTheirKindAndBelongTogether) {
  const Certificate one("localhost");
  const Certificate other("localhost");
  const TemporaryFolder folder;
  const std::string text = folder.write("notes.pem", "no certificate\n");
  EXPECT_NE(happened_in([&] { TlsContext::for_clients(text); }), "");
  EXPECT_EQ(happened_in([&] { TlsContext::for_servers(text, one.key(), nobody); }),
            text + ": it has no certificate in PEM format");
  EXPECT_EQ(happened_in([&] { TlsContext::for_servers(one.certificate(), text, nobody); }),
            text + ": it has no private key in PEM format");
  EXPECT_EQ(happened_in([&] { TlsContext::for_servers(one.certificate(), other.key(), nobody); }),
            other.key() + ": key values mismatch");
  EXPECT_EQ(happened_in([&] { TlsContext::for_servers(one.certificate(), one.key(), nobody); }),
            "");
}

TEST(TlsContextTest, AListenerLetsInWhoKnowsASecretAndNobodyElse) {
  const Certificate made("localhost");
  const TlsContext listener = TlsContext::for_listeners(ticket_of);
  const TlsContext client = TlsContext::for_clients(made.certificate());
  EXPECT_EQ(accepted(listener, [](Socket& far) { far.encrypt("ticket", patience); }), "");
  EXPECT_NE(accepted(listener, [](Socket& far) { far.encrypt("guess", patience); }), "");
  EXPECT_NE(accepted(listener, [&](Socket& far) { far.encrypt(client, "localhost", patience); }),
            "");
}

TEST(TlsContextTest, AServerLetsInWhoKnowsASecretAndWhoWantsItsCertificate) {
  const Certificate made("localhost");
  const TlsContext server = TlsContext::for_servers(made.certificate(), made.key(), ticket_of);
  const TlsContext client = TlsContext::for_clients(made.certificate());
  EXPECT_EQ(accepted(server, [](Socket& far) { far.encrypt("ticket", patience); }), "");
  EXPECT_EQ(accepted(server, [&](Socket& far) { far.encrypt(client, "localhost", patience); }), "");
  // To who asks by a secret the certificate proves nothing.
  EXPECT_NE(accepted(server, [](Socket& far) { far.encrypt("guess", patience); }), "");
}

TEST(TlsContextTest, OnlyVersion13IsSpoken) {
  const Certificate made("localhost");
  const TlsContext server = TlsContext::for_servers(made.certificate(), made.key(), nobody);
  const TlsContext old = TlsContext::for_clients(made.certificate());
  ASSERT_EQ(SSL_CTX_set_min_proto_version(old.get(), TLS1_2_VERSION), 1);
  ASSERT_EQ(SSL_CTX_set_max_proto_version(old.get(), TLS1_2_VERSION), 1);
  EXPECT_NE(accepted(server, [&](Socket& far) { far.encrypt(old, "localhost", patience); })
                .find("unsupported protocol"),
            std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
