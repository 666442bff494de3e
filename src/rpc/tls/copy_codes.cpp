#include "rpc/tls/copy_codes.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/tls/digest.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::size_t key_bytes = 16;
constexpr std::size_t code_bytes = 16;

}  // namespace

void CopyCodes::Free::operator()(evp_mac_ctx_st* context) const noexcept {
  EVP_MAC_CTX_free(context);
}

CopyCodes::CopyCodes(std::string_view secret) {
  const std::string digest = sha256("tasuki copies " + std::string(secret));
  // Several times as fast as a digest, and as good here: nobody sees a code but the ranks.
  const std::unique_ptr<EVP_MAC, void (*)(EVP_MAC*)> kind(EVP_MAC_fetch(nullptr, "GMAC", nullptr),
                                                          EVP_MAC_free);
  context_.reset(EVP_MAC_CTX_new(kind.get()));
  std::array<char, 12> cipher = {"AES-128-GCM"};
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher.data(), 0),
      OSSL_PARAM_construct_end()};
  const auto* const key = reinterpret_cast<const unsigned char*>(digest.data());
  if (!context_ || EVP_MAC_init(context_.get(), key, key_bytes, parameters.data()) != 1) {
    throw error("serve calls", "OpenSSL has no GMAC", "install OpenSSL 3 with its usual provider");
  }
}

void CopyCodes::begin_array() {
  std::array<unsigned char, 12> start{};  // The same each time, as nobody else sees the codes.
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, start.data(), start.size()),
      OSSL_PARAM_construct_end()};
  EVP_MAC_init(context_.get(), nullptr, 0, parameters.data());
}

void CopyCodes::add(std::span<const std::byte> piece) {
  EVP_MAC_update(context_.get(), reinterpret_cast<const unsigned char*>(piece.data()),
                 piece.size());
}

void CopyCodes::end_array() {
  std::array<unsigned char, code_bytes> code{};
  std::size_t bytes = 0;
  EVP_MAC_final(context_.get(), code.data(), &bytes, code.size());
  codes_.insert(codes_.end(), code.begin(), code.end());
}

}  // namespace tasuki::rpc
