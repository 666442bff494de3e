#include "runtime/calls/payload_memory.hpp"

#include <utility>

namespace tasuki::runtime {

Payload PayloadMemory::take(std::size_t payload_bytes) {
  const bool fits = payload_bytes <= kept_.memory_bytes &&
                    payload_bytes >= kept_.memory_bytes / unused_ratio_most;
  if (kept_.memory != nullptr && fits) {
    Payload payload = std::exchange(kept_, {});
    payload.bytes = payload_bytes;
    return payload;
  }
  return {std::make_unique_for_overwrite<std::byte[]>(payload_bytes), payload_bytes, payload_bytes};
}

void PayloadMemory::give_back(Payload payload) noexcept {
  const std::size_t bytes = payload.memory_bytes;
  if (bytes >= kept_least_bytes && bytes <= kept_most_bytes) kept_ = std::move(payload);
}

}  // namespace tasuki::runtime
