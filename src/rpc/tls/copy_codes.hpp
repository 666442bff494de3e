// Codes of the arrays of a call of which each rank gets a copy: ranks whose copies differ have
// different codes. A client that sends them different copies cannot know how to make the codes
// equal, as they depend on a secret of the ranks.
//
// Used by ranks, beside the digest of what the client has said. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

struct evp_mac_ctx_st;

namespace tasuki::rpc {

class CopyCodes {
 public:
  explicit CopyCodes(std::string_view secret);

  /// Forgets those of the call before.
  void begin_call() noexcept { codes_.clear(); }
  void begin_array();
  /// Takes what the processor takes to read the bytes. Requires: begin_array().
  void add(std::span<const std::byte> piece);
  void end_array();
  /// Of all arrays since begin_call(), one behind the other.
  std::span<const std::uint8_t> all() const noexcept { return codes_; }

 private:
  struct Free {
    void operator()(evp_mac_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_mac_ctx_st, Free> context_;
  std::vector<std::uint8_t> codes_;
};

}  // namespace tasuki::rpc
