// The code of the runtime that every program of a job has: its handlers of messages, by a hash of
// their symbols, which is the same in programs that were linked apart.
//
// Used by the module table where the ranks of a job run different programs. What a program exports
// of the runtime is all there is: C++ programs are linked with --export-dynamic.
//
// Thread-safety: made once; constant from then on.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace tasuki::runtime {

class RuntimeCode {
 public:
  /// That of this program. Throws tasuki::error: two symbols have the same hash.
  static const RuntimeCode& own();

  /// Returns: less than CodeAddress::offset_end; 0 if `code` is no handler of the runtime.
  std::uint64_t hash_of(std::uintptr_t code) const noexcept;
  /// Throws tasuki::error: this program has no such handler.
  std::uintptr_t with_hash(std::uint64_t hash) const;

 private:
  RuntimeCode();

  std::unordered_map<std::uintptr_t, std::uint64_t> hashes_;
  std::unordered_map<std::uint64_t, std::uintptr_t> code_;
};

}  // namespace tasuki::runtime
