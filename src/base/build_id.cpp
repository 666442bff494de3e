#include <tasuki/detail/base/build_id.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstring>

namespace tasuki::base {
namespace {

std::uint64_t hash_of_note(const unsigned char* notes, std::size_t bytes) noexcept {
  const auto padded = [](std::size_t size) { return (size + 3) & ~std::size_t{3}; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const unsigned char* const name = notes + at + sizeof note;
    const unsigned char* const content = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      return fnv_hash({reinterpret_cast<const char*>(content), note.n_descsz});
    }
    at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
  }
  return 0;
}

bool holds(const dl_phdr_info& object, std::uintptr_t code) noexcept {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && code - object.dlpi_addr - part.p_vaddr < part.p_memsz) {
      return true;
    }
  }
  return false;
}

/// Of the object that this code is linked into: the program, or an extension module of Python.
int hash_own(dl_phdr_info* object, std::size_t, void* result) {
  if (!holds(*object, reinterpret_cast<std::uintptr_t>(&hash_own))) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* const notes =
        reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr);
    const std::uint64_t value = hash_of_note(notes, part.p_memsz);
    if (value == 0) continue;
    *static_cast<std::uint64_t*>(result) = value;
    break;
  }
  return 1;
}

std::uint64_t hash_of_file() noexcept {
  struct stat status {};
  if (::stat("/proc/self/exe", &status) != 0) return 1;
  const std::int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  return fnv_hash({reinterpret_cast<const char*>(facts), sizeof facts});
}

}  // namespace

std::uint64_t main_build_id() noexcept {
  std::uint64_t value = 0;
  dl_iterate_phdr(hash_own, &value);
  if (value == 0) value = hash_of_file();
  return value == 0 ? 1 : value;
}

}  // namespace tasuki::base
