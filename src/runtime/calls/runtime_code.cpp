#include "runtime/calls/runtime_code.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <string_view>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/symbol_file.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::string_view runtime_prefix = "_ZN6tasuki7runtime";
constexpr std::string_view parameters_of_handlers = "4RankEiR";  // Rank&, int, Reader&

std::uint64_t hash_of_symbol(std::string_view symbol) {
  return base::fnv_hash(symbol) % (CodeAddress::offset_end - 1) + 1;
}

}  // namespace

const RuntimeCode& RuntimeCode::own() {
  static const RuntimeCode code;
  return code;
}

RuntimeCode::RuntimeCode() {
  Dl_info info{};
  link_map* module = nullptr;
  ::dladdr1(reinterpret_cast<void*>(&hash_of_symbol), &info, reinterpret_cast<void**>(&module),
            RTLD_DL_LINKMAP);
  for_each_function(path_of(*module), SHT_DYNSYM, [&](const char* name, const ElfW(Sym) & symbol) {
    const std::string_view symbol_name(name);
    // Templates, which the linker calls weak, are of the program that has made them.
    const bool is_handler = symbol.st_info >> 4U == STB_GLOBAL &&
                            symbol_name.starts_with(runtime_prefix) &&
                            symbol_name.find(parameters_of_handlers) != symbol_name.npos;
    if (!is_handler) return true;
    const std::uintptr_t code = module->l_addr + symbol.st_value;
    const std::uint64_t hash = hash_of_symbol(name);
    hashes_.emplace(code, hash);
    if (code_.emplace(hash, code).second) return true;
    throw error("starting a job of different programs",
                fmt::format("{} has the same hash as another function", name),
                "run ranks of one program, or report this");
  });
}

std::uint64_t RuntimeCode::hash_of(std::uintptr_t code) const noexcept {
  const auto found = hashes_.find(code);
  return found == hashes_.end() ? 0 : found->second;
}

std::uintptr_t RuntimeCode::with_hash(std::uint64_t hash) const {
  const auto found = code_.find(hash);
  if (found != code_.end()) return found->second;
  throw error("taking a message of a rank that runs another program",
              "this program does not have, or does not export, the part of Tasuki it is for",
              "link all programs of the job with the same Tasuki and with --export-dynamic");
}

}  // namespace tasuki::runtime
