#include "mpi/wait/host_of_rank.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tasuki::mpi::wait {
namespace {

// What PMIx_Get takes and gives, as the standards 2 to 5 of PMIx lay it out. Its header is in no
// package that Tasuki needs.
struct Process {
  std::array<char, 256> name_space{};
  std::uint32_t rank = 0;
};
struct Value {
  std::uint16_t type = 0;
  union {
    bool flag;
    char* string;
    std::array<std::byte, 24> any;
  };
};
struct Directive {
  std::array<char, 512> key{};
  std::uint32_t flags = 0;
  Value value{};
};
constexpr std::uint16_t boolean_type = 1;
constexpr std::uint16_t string_type = 3;
using Get = int (*)(const Process*, const char*, const Directive*, std::size_t, Value**);

Get find_get() {
  void* const library = ::dlopen("libpmix.so.2", RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : reinterpret_cast<Get>(::dlsym(library, "PMIx_Get"));
}

}  // namespace

std::string host_of_rank(int rank) {
  const char* const job = std::getenv("PMIX_NAMESPACE");
  const Get get = find_get();
  if (job == nullptr || get == nullptr) return {};
  Process process;
  std::strncpy(process.name_space.data(), job, process.name_space.size() - 1);
  process.rank = static_cast<std::uint32_t>(rank);
  Directive at_once;  // What is not known here would be asked of that rank.
  std::strcpy(at_once.key.data(), "pmix.optional");
  at_once.value.type = boolean_type;
  at_once.value.flag = true;
  Value* found = nullptr;
  const bool is_known = get(&process, "pmix.hname", &at_once, 1, &found) == 0 && found != nullptr &&
                        found->type == string_type && found->string != nullptr;
  return is_known ? found->string : "";  // It is freed with the process, which ends now.
}

}  // namespace tasuki::mpi::wait
