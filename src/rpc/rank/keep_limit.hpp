// How much of what clients leave behind the ranks of a module keep, and how much they do.
//
// Shared by the arrays and objects of a rank; every rank counts the same. Thread-safety: none; the
// thread that runs routines.
#pragma once

#include <cstdint>

namespace tasuki::rpc {

class KeepLimit {
 public:
  /// `bytes` is that of all ranks together.
  explicit KeepLimit(std::int64_t bytes) noexcept : bytes_(bytes) {}

  bool has_room(std::int64_t bytes) const noexcept { return bytes <= bytes_ - used_bytes_; }
  void use(std::int64_t bytes) noexcept { used_bytes_ += bytes; }
  void give_back(std::int64_t bytes) noexcept { used_bytes_ -= bytes; }

  std::int64_t bytes() const noexcept { return bytes_; }
  std::int64_t used_bytes() const noexcept { return used_bytes_; }

 private:
  std::int64_t bytes_;
  std::int64_t used_bytes_ = 0;
};

}  // namespace tasuki::rpc
