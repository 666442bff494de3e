#include "rpc/tls/tls_secret.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "rpc/tls/digest.hpp"
#include "rpc/tls/tls_context.hpp"

namespace tasuki::rpc {
namespace {

using Session = std::unique_ptr<SSL_SESSION, void (*)(SSL_SESSION*)>;

class TlsSecretTest : public testing::Test {
 protected:
  std::string key_of(const SSL_SESSION* session) {
    std::array<unsigned char, 64> key{};
    const std::size_t bytes = SSL_SESSION_get_master_key(session, key.data(), key.size());
    return {reinterpret_cast<const char*>(key.data()), bytes};
  }

  const TlsContext context_ = TlsContext::for_secrets();
  const std::unique_ptr<SSL, void (*)(SSL*)> connection_{SSL_new(context_.get()), SSL_free};
};

TEST_F(TlsSecretTest, TheIdentityTellsSecretsApartAndNothingOfThem) {
  const std::string identity = identity_of("ticket");
  EXPECT_EQ(identity, identity_of("ticket"));
  EXPECT_NE(identity, identity_of("ticker"));
  EXPECT_EQ(identity.size(), 64U);
  EXPECT_EQ(identity.find("ticket"), std::string::npos);
}

TEST_F(TlsSecretTest, TheKeyIsMadeFromTheSecretAndIsNotTheIdentity) {
  const Session one(session_of(connection_.get(), "ticket"), SSL_SESSION_free);
  const Session same(session_of(connection_.get(), "ticket"), SSL_SESSION_free);
  const Session other(session_of(connection_.get(), "ticker"), SSL_SESSION_free);
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(key_of(one.get()).size(), 32U);
  EXPECT_EQ(key_of(one.get()), key_of(same.get()));
  EXPECT_NE(key_of(one.get()), key_of(other.get()));
  // Whoever has seen the identity, or the digest of the secret, must not have the key.
  EXPECT_NE(key_of(one.get()), sha256("ticket"));
  std::string digits;
  for (const char one_byte : key_of(one.get())) {
    constexpr const char* hexadecimal = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(one_byte);
    digits += {hexadecimal[byte / 16], hexadecimal[byte % 16]};
  }
  EXPECT_NE(digits, identity_of("ticket"));
}

TEST_F(TlsSecretTest, TheSecretIsUsedWithTheDigestOfItsSessionsAlone) {
  KnownSecret known{"ticket", identity_of("ticket")};
  set_secret(connection_.get(), &known);
  const unsigned char* identity = nullptr;
  std::size_t identity_bytes = 0;
  SSL_SESSION* session = nullptr;
  EXPECT_EQ(use_session(connection_.get(), EVP_sha384(), &identity, &identity_bytes, &session), 1);
  EXPECT_EQ(session, nullptr);
  for (const EVP_MD* digest : {static_cast<const EVP_MD*>(nullptr), EVP_sha256()}) {
    EXPECT_EQ(use_session(connection_.get(), digest, &identity, &identity_bytes, &session), 1);
    const Session used(session, SSL_SESSION_free);
    ASSERT_TRUE(used);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(identity), identity_bytes), known.identity);
  }
}

}  // namespace
}  // namespace tasuki::rpc
