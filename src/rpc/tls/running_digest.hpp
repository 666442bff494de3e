// The digest of messages that come one after the other, and of codes of what comes with them.
//
// Used by ranks, which all hear the same of a client, or else have been told different things.
// Thread-safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace tasuki::rpc {

class RunningDigest {
 public:
  RunningDigest();

  /// Takes about a tenth of a microsecond and what the bytes take.
  void add(std::span<const std::uint8_t> message);
  /// Returns: SHA-256 of all messages, each with its length, as 64 hexadecimal digits; no other is
  /// added then.
  std::string text();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace tasuki::rpc
