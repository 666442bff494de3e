// The memory of other ranks for tests in which nobody can read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/transport/memory.hpp>

namespace tasuki::node {

class NoPeers final : public transport::PeerMemory {
 public:
  std::byte* map(int, std::uintptr_t, std::size_t) noexcept override { return nullptr; }
  bool get_private(int, std::uintptr_t, std::span<std::byte>) override { return false; }
  bool put_private(int, std::uintptr_t, std::span<const std::byte>) override { return false; }
  void notify(int) noexcept override {}
};

}  // namespace tasuki::node
