// Names of functions for messages to people. Exported ones the dynamic linker knows; static
// functions and lambdas are found in the symbol table of the file, unless it was stripped.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <tasuki/detail/runtime/calls/code_address.hpp>

#include "runtime/calls/symbol_file.hpp"

namespace tasuki::runtime {

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

namespace {

/// The symbol whose code contains `address` (as the file counts), or "".
std::string symbol_in_file(const char* path, std::uint64_t address) {
  std::string found;
  for_each_function(path, SHT_SYMTAB, [&](const char* name, const ElfW(Sym) & symbol) {
    if (address - symbol.st_value >= symbol.st_size) return true;
    found = demangled(name);
    return false;
  });
  return found;
}

/// Of "F, ...>...", `F`.
std::string first_argument(const std::string& arguments) {
  int depth = 0;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const char c = arguments[at];
    if (depth == 0 && (c == ',' || c == '>')) return arguments.substr(0, at);
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return arguments;
}

/// Of the code of a coroutine, the coroutine. GCC gives that code its frame as its parameter:
/// "f(f(int)::_Z1fi.Frame*)".
std::string called_coroutine(const std::string& code) {
  const std::size_t end = code.find("::_Z");
  if (end == std::string::npos) return code;
  const std::string_view named = std::string_view(code).substr(0, end);
  for (std::size_t at = named.find('('); at != named.npos; at = named.find('(', at + 1)) {
    const std::string_view coroutine = named.substr(at + 1);
    if (coroutine.starts_with(named.substr(0, at + 1))) return std::string(coroutine);
  }
  return code;
}

/// What of the runtime's own calls a function object `F`, which comes first.
constexpr std::array<std::string_view, 4> wrappers = {
    "tasuki::runtime::Call<", "tasuki::runtime::ThenContinuation<",
    "tasuki::runtime::ReplacingFunction<", "tasuki::runtime::Spawned<"};

/// Of a wrapper, the function object it calls: `F` of "tasuki::runtime::Call<F, ...>::...". Of a
/// coroutine's code, the coroutine.
std::string called_object(const std::string& name) {
  for (const std::string_view wrapper : wrappers) {
    const std::size_t begin = name.find(wrapper);
    if (begin != std::string::npos) return first_argument(name.substr(begin + wrapper.size()));
  }
  return called_coroutine(name.substr(0, name.find(" [clone .")));
}

}  // namespace

std::string function_name(std::uintptr_t code) {
  Dl_info info{};
  link_map* module = nullptr;
  if (dladdr1(reinterpret_cast<void*>(code), &info, reinterpret_cast<void**>(&module),
              RTLD_DL_LINKMAP) == 0) {
    return fmt::format("the function at {:#x}", code);
  }
  if (info.dli_sname != nullptr) return called_object(demangled(info.dli_sname));
  const std::uint64_t address = code - module->l_addr;
  const std::string name = symbol_in_file(path_of(*module), address);
  if (!name.empty()) return called_object(name);
  const std::string_view path(info.dli_fname);
  return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), address);
}

}  // namespace tasuki::runtime
