#include "rpc/rank/call_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {

CallMemory::CallMemory(const Routine& routine, const nlohmann::json& scalars, Kept kept,
                       RankOf place, BlockMemory& memory, const nlohmann::json& texts,
                       const nlohmann::json& files)
    : routine_(routine),
      kept_(std::move(kept)),
      rank_(place.rank),
      memory_(memory),
      integers_(integers_of(routine, scalars)),
      layout_(layout_of(routine, integers_, place.ranks)) {
  check_texts(routine, integers_, texts, &Parameter::is_sent);
  check_call_bytes(routine, layout_, sent_file_bytes(routine, files), place.call_most_bytes);
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    const Parameter& parameter = routine.parameters[i];
    std::optional<LayoutInC>& in_c = layouts_in_c_.emplace_back();
    if (layout_[i]) {
      in_c.emplace(*layout_[i], rank_);
      if (is_kept(i)) {
        pointers_.push_back(nullptr);
      } else {
        std::byte* const block = allocate(parameter, block_bytes(i));
        if (!layout_[i]->selects_all()) std::memset(block, 0, block_bytes(i));
      }
    } else if (parameter.content == Content::texts) {
      char** const strings = texts_.add(parameter, texts_count(parameter, integers_), texts);
      pointers_.push_back(static_cast<void*>(strings));
    } else if (parameter.content == Content::file) {
      pointers_.push_back(static_cast<void*>(texts_.add(files_.add(parameter))));
    } else {
      write_scalar(parameter, scalars, allocate(parameter, bytes_of(parameter.number)));
    }
  }
}

CallMemory::~CallMemory() { memory_.keep(std::move(pieces_)); }

std::byte* CallMemory::allocate(const Parameter& parameter, std::size_t bytes) {
  BlockMemory::Piece piece = memory_.take(bytes);
  void* const memory = piece.memory.get();
  if (memory == nullptr) {
    throw error(
        fmt::format("call {}", routine_.name),
        fmt::format("rank {} has no memory for {} bytes of {}", rank_, bytes, parameter.name),
        "use more ranks, or a machine with more memory");
  }
  pieces_.push_back(std::move(piece));
  pointers_.push_back(memory);
  return static_cast<std::byte*>(memory);
}

std::size_t CallMemory::block_bytes(std::size_t index) const {
  return static_cast<std::size_t>(layout_[index]->local_bytes(rank_));
}

bool CallMemory::is_kept(std::size_t index) const {
  return kept_.contains(routine_.parameters[index].name);
}

/// Arrays of the caller's memory are told apart by the client, which does not know these.
void CallMemory::check_apart() const {
  std::map<std::string_view, const Parameter*> users;
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !is_kept(i)) continue;
    const Parameter& one = routine_.parameters[i];
    const auto [found, is_first] = users.emplace(kept_.at(one.name), &one);
    if (is_first) continue;
    const Parameter& other = *found->second;
    if (one.mode == Mode::in && other.mode == Mode::in) continue;
    throw LostArray(fmt::format("call {}", routine_.name),
                    fmt::format("one array on the ranks is given for {} and for {}, and the "
                                "routine writes it",
                                other.name, one.name),
                    "put another array for one of them");
  }
}

void CallMemory::use(const KeptArrays& kept) {
  check_apart();
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !is_kept(i)) continue;
    const Parameter& parameter = routine_.parameters[i];
    pointers_[i] =
        kept.find(kept_.at(parameter.name), parameter.number, layout_[i]->selecting_all());
  }
}

std::size_t CallMemory::index_of(const void* block) const {
  return static_cast<std::size_t>(std::ranges::find(pointers_, block) - pointers_.begin());
}

void* CallMemory::widen(const void* block) {
  const std::size_t index = index_of(block);
  const Parameter& parameter = routine_.parameters[index];
  const std::size_t count = block_bytes(index) / bytes_of(parameter.number);
  if (void* const copy = longs_.widen(block, parameter.number, count)) return copy;
  throw error(fmt::format("call {}", routine_.name),
              fmt::format("rank {} has no memory for {} elements of {}, which have 64 bits there",
                          rank_, count, parameter.name),
              "use more ranks, or a machine with more memory");
}

void CallMemory::narrow(const void* block) {
  const std::size_t index = index_of(block);
  longs_.narrow(pointers_[index], routine_.parameters[index].name);
}

const LayoutInC* CallMemory::find(const void* argument) const noexcept {
  const void* const block = longs_.block_of(argument);
  const auto found = std::ranges::find(pointers_, block == nullptr ? argument : block);
  if (found == pointers_.end()) return nullptr;
  const auto& layout = layouts_in_c_[static_cast<std::size_t>(found - pointers_.begin())];
  return layout ? &*layout : nullptr;
}

ArrayBlock CallMemory::block(std::size_t index) const {
  return {routine_.parameters[index],
          *layout_[index],
          rank_,
          {static_cast<std::byte*>(pointers_[index]), block_bytes(index)}};
}

bool CallMemory::is_received(std::size_t index) const {
  return layout_[index] && !is_kept(index) && routine_.parameters[index].is_sent();
}

void CallMemory::receive(ArrayTransfer& transfer) {
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (is_received(i)) transfer.receive(block(i));
  }
}

std::int64_t CallMemory::received_bytes() const noexcept {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (is_received(i)) bytes += layout_[i]->local_bytes(rank_);
  }
  return bytes;
}

std::vector<ArrayBlock> CallMemory::results() const {
  std::vector<ArrayBlock> blocks;
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    const bool is_there = layout_[i] && !is_kept(i);
    if (is_there && is_returned_by(rank_, routine_.parameters[i])) blocks.push_back(block(i));
  }
  return blocks;
}

}  // namespace tasuki::rpc
