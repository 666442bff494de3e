// Code addresses that mean the same function on every rank although each process has its code at
// another place (address space randomisation) and libraries may be loaded in any order.
//
// A function is named by the module it lives in (0 for the main program, else a hash of the
// library's build id) and its offset there. The main program is what Tasuki itself is linked into:
// where ranks share a process, each rank's own copy of a shared object. Used by the call layer; see
// docs/design/function-addresses.md.
//
// Thread-safety: none; one table per rank, used from its thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace tasuki::runtime {

struct CodeAddress {
  /// Code lies below this in its module; what a module has beyond cannot be called.
  static constexpr std::uint64_t offset_end = std::uint64_t{1} << 36U;

  std::uint64_t module = 0;  ///< 0: the main program.
  std::uint64_t offset = 0;
};

class ModuleTable {
 public:
  ModuleTable();

  /// Offset of `code` in the main program, or a value >= main_bytes() if it lives in a library.
  std::uint64_t main_offset(std::uintptr_t code) const noexcept { return code - main_base_; }
  std::uint64_t main_bytes() const noexcept { return main_bytes_; }
  std::uintptr_t from_main_offset(std::uint64_t offset) const noexcept {
    return main_base_ + offset;
  }

  /// Throws tasuki::error if `code` is not in any loaded module.
  CodeAddress encode(std::uintptr_t code);
  /// Throws tasuki::error if this process has not loaded that module.
  std::uintptr_t decode(CodeAddress address);

 private:
  struct Module {
    std::uintptr_t base;
    std::uint64_t bytes;
    std::string path;
  };
  void scan();

  std::uintptr_t main_base_ = 0;
  std::uint64_t main_bytes_ = 0;
  std::unordered_map<std::uint64_t, Module> libraries_;
};

/// A readable name for the function at `code`: its symbol, demangled, else its module and offset.
std::string function_name(std::uintptr_t code);
/// A symbol, or the name of a std::type_info, as one would write it.
std::string demangled(const char* symbol);

}  // namespace tasuki::runtime
