// What the recorder knows of a program's communicators, by their handles.
//
// Handles are opaque words: each MPI's shim turns its own into one. A communicator is described
// when the program first uses it, and forgotten when the program frees it, as MPI may then give the
// word to another.
//
// Thread-safety: one thread at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::mpi::record {

using Word = std::uint64_t;

/// A handle of MPI as a word: it is a pointer in one MPI and a number in another.
template <typename Handle>
Word word_of(Handle handle) noexcept {
  if constexpr (std::is_pointer_v<Handle>) {
    return std::bit_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<Word>(handle);
  }
}

struct Communicator {
  std::uint16_t index = 0;  ///< In the event file.
  std::int32_t rank = 0;    ///< Of this process.
  bool is_inter = false;
  /// Ranks in MPI_COMM_WORLD of its processes; of the other side where it is an intercommunicator.
  std::vector<std::int32_t> world_ranks;
  std::int32_t own_size = 0;  ///< Of this side.
  std::uint64_t key = 0;      ///< The same on all its ranks.
  std::uint32_t made = 0;     ///< Communicators that were made from it.

  std::int32_t size() const noexcept { return static_cast<std::int32_t>(world_ranks.size()); }
};

/// The key of the parent that a communicator was made from, and how many were before.
struct Origin {
  std::uint64_t parent_key = 0;
  std::uint32_t made = 0;
};

class Communicators {
 public:
  Communicator* find(Word word) noexcept {
    if (word == last_word_ && last_ != nullptr) return last_;
    const auto found = all_.find(word);
    if (found == all_.end()) return nullptr;
    last_word_ = word;
    last_ = found->second.get();
    return last_;
  }

  Communicator& add(Word word, Communicator communicator) {
    forget(word);
    return *(all_[word] = std::make_unique<Communicator>(std::move(communicator)));
  }

  void forget(Word word) noexcept {
    last_ = nullptr;
    all_.erase(word);
    promised_.erase(word);
  }

  /// One that is being made and must not be asked about so far.
  void promise(Word word, Origin origin) {
    forget(word);
    promised_.emplace(word, origin);
  }

  /// How it was promised; `otherwise` if it was not.
  Origin origin_of(Word word, Origin otherwise) const noexcept {
    const auto found = promised_.find(word);
    return found == promised_.end() ? otherwise : found->second;
  }

 private:
  std::unordered_map<Word, std::unique_ptr<Communicator>> all_;
  std::unordered_map<Word, Origin> promised_;
  Word last_word_ = 0;
  Communicator* last_ = nullptr;
};

/// A key that all ranks of a new communicator compute alike without a message: from the parent's
/// key, the number of communicators made from it before, and the new one's processes.
std::uint64_t key_of_made(std::uint64_t parent_key, std::uint32_t made,
                          const std::vector<std::int32_t>& world_ranks) noexcept;

}  // namespace tasuki::mpi::record
