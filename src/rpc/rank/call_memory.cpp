#include "rpc/rank/call_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

/// As much as any vector instruction wants.
constexpr std::size_t alignment = 64;

}  // namespace

void CallMemory::Free::operator()(void* memory) const noexcept { std::free(memory); }

CallMemory::CallMemory(const Routine& routine, const nlohmann::json& scalars, int rank, int ranks)
    : routine_(routine),
      rank_(rank),
      layout_(layout_of(routine, integers_of(routine, scalars), ranks)) {
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    const Parameter& parameter = routine.parameters[i];
    if (layout_[i]) {
      allocate(parameter, static_cast<std::size_t>(layout_[i]->local_bytes(rank)));
    } else {
      write_scalar(parameter, scalars, allocate(parameter, bytes_of(parameter.number)));
    }
  }
}

std::byte* CallMemory::allocate(const Parameter& parameter, std::size_t bytes) {
  const std::size_t lines = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
  memory_.emplace_back(std::aligned_alloc(alignment, lines * alignment));
  void* const memory = memory_.back().get();
  if (memory == nullptr) {
    throw error(
        fmt::format("call {}", routine_.name),
        fmt::format("rank {} has no memory for {} bytes of {}", rank_, bytes, parameter.name),
        "use more ranks, or a machine with more memory");
  }
  pointers_.push_back(memory);
  return static_cast<std::byte*>(memory);
}

void CallMemory::receive(Socket& client) {
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !routine_.parameters[i].is_sent()) continue;
    client.receive(pointers_[i], static_cast<std::size_t>(layout_[i]->local_bytes(rank_)));
  }
}

void CallMemory::send_results(Socket& client) {
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !is_returned_by(rank_, routine_.parameters[i])) continue;
    client.send(pointers_[i], static_cast<std::size_t>(layout_[i]->local_bytes(rank_)));
  }
}

}  // namespace tasuki::rpc
