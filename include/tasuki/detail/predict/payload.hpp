// Predicts the bytes of the next payload: each of its words grows as it has grown last.
//
// Used by the runtime for functions whose results are computed ahead. It finds payloads that stay
// the same, counters, indices and addresses in equal steps, as the predictor `stride` does for
// fields of headers. Thread-safety: one per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::predict {

class PayloadPredictor {
 public:
  explicit PayloadPredictor(std::size_t payload_bytes);

  /// Are there two payloads to go by?
  bool has_guess() const noexcept { return seen_count_ >= 2; }
  /// The next payload. Requires: has_guess(). Valid until the next `observe`.
  std::span<const std::byte> guess() const noexcept { return guess_; }
  /// Learns what has come. Requires: as many bytes as the constructor was told.
  void observe(std::span<const std::byte> payload) noexcept;

 private:
  std::vector<std::byte> last_;
  std::vector<std::byte> guess_;
  std::uint8_t seen_count_ = 0;  ///< At most 2.
};

}  // namespace tasuki::predict
