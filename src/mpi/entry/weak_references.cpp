#include "mpi/entry/weak_references.hpp"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

// This file is in each process that the launcher starts: it uses the C library alone.

namespace tasuki::mpi::entry {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t address_relocations[] = {R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr std::uint32_t address_relocations[] = {R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#endif

struct Search {
  std::uintptr_t own_begin;
  std::uintptr_t own_end;
  const char* const* symbols;
  void* const* next;
  std::size_t count;
};

/// What the dynamic section of an object says, and what is read-only once it is relocated.
struct Object {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * relocations = nullptr;
  std::size_t relocation_bytes = 0;
  std::uintptr_t read_only_begin = 0;
  std::uintptr_t read_only_end = 0;
};

Object described(const dl_phdr_info& info) {
  Object object;
  const ElfW(Dyn)* dynamic = nullptr;
  const auto page_bytes = static_cast<std::uintptr_t>(::getpagesize());
  for (std::size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (segment.p_type == PT_GNU_RELRO) {
      object.read_only_begin = begin / page_bytes * page_bytes;
      object.read_only_end = (begin + segment.p_memsz) / page_bytes * page_bytes;
    }
  }
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    const std::uintptr_t value = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_SYMTAB) object.symbols = reinterpret_cast<const ElfW(Sym)*>(value);
    if (dynamic->d_tag == DT_STRTAB) object.names = reinterpret_cast<const char*>(value);
    if (dynamic->d_tag == DT_RELA) {
      object.relocations = reinterpret_cast<const ElfW(Rela)*>(value);
    }
    if (dynamic->d_tag == DT_RELASZ) object.relocation_bytes = dynamic->d_un.d_val;
  }
  return object;
}

bool is_missing(const Search& search, const char* name) {
  for (std::size_t i = 0; i < search.count; ++i) {
    if (std::strcmp(search.symbols[i], name) == 0) return search.next[i] == nullptr;
  }
  return false;
}

/// Where a relocation has put an entry's address for a weak reference to a missing function.
void** place_of(const Search& search, const Object& object, const ElfW(Rela) & relocation,
                std::uintptr_t base) {
  bool is_address = false;
  for (const std::uint32_t type : address_relocations) {
    is_address = is_address || ELF64_R_TYPE(relocation.r_info) == type;
  }
  if (!is_address) return nullptr;
  const ElfW(Sym)& symbol = object.symbols[ELF64_R_SYM(relocation.r_info)];
  if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_WEAK) return nullptr;
  auto* const place = reinterpret_cast<void**>(base + relocation.r_offset);
  const auto held = reinterpret_cast<std::uintptr_t>(*place);
  const bool is_ours = held >= search.own_begin && held < search.own_end;
  return is_ours && is_missing(search, object.names + symbol.st_name) ? place : nullptr;
}

int clear_in_object(dl_phdr_info* info, std::size_t, void* given) {
  const auto& search = *static_cast<const Search*>(given);
  const Object object = described(*info);
  if (object.relocations == nullptr || object.symbols == nullptr || object.names == nullptr) {
    return 0;
  }
  auto* const read_only = reinterpret_cast<void*>(object.read_only_begin);
  const std::size_t read_only_bytes = object.read_only_end - object.read_only_begin;
  bool is_open = false;
  for (std::size_t i = 0; i < object.relocation_bytes / sizeof(ElfW(Rela)); ++i) {
    void** const place = place_of(search, object, object.relocations[i], info->dlpi_addr);
    if (place == nullptr) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    const bool is_read_only = address >= object.read_only_begin && address < object.read_only_end;
    if (is_read_only && !is_open) {
      if (::mprotect(read_only, read_only_bytes, PROT_READ | PROT_WRITE) != 0) return 0;
      is_open = true;
    }
    *place = nullptr;
  }
  if (is_open) ::mprotect(read_only, read_only_bytes, PROT_READ);
  return 0;
}

/// The addresses of the object that has `search.own_begin`.
int find_own(dl_phdr_info* info, std::size_t, void* given) {
  auto& search = *static_cast<Search*>(given);
  std::uintptr_t end = 0;
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD) end = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
  }
  if (search.own_begin < info->dlpi_addr || search.own_begin >= end) return 0;
  search.own_begin = info->dlpi_addr;
  search.own_end = end;
  return 1;
}

}  // namespace

void clear_weak_references(const void* own, const char* const* symbols, void* const* next,
                           std::size_t count) {
  Search search{reinterpret_cast<std::uintptr_t>(own), 0, symbols, next, count};
  if (::dl_iterate_phdr(find_own, &search) != 0) ::dl_iterate_phdr(clear_in_object, &search);
}

}  // namespace tasuki::mpi::entry
