#include "rpc/tls/running_digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "rpc/tls/digest.hpp"

namespace tasuki::rpc {

void RunningDigest::Free::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

RunningDigest::RunningDigest() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void RunningDigest::add(std::span<const std::uint8_t> message) {
  const std::uint64_t bytes = message.size();
  EVP_DigestUpdate(context_.get(), &bytes, sizeof bytes);
  EVP_DigestUpdate(context_.get(), message.data(), message.size());
}

std::string RunningDigest::text() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned bytes = 0;
  EVP_DigestFinal_ex(context_.get(), digest.data(), &bytes);
  return hexadecimal({reinterpret_cast<const char*>(digest.data()), bytes});
}

}  // namespace tasuki::rpc
