#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tasuki/detail/base/build_id.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/base/job_programs.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/runtime_code.hpp"

namespace tasuki::runtime {
namespace {

/// Stands for the module of code that all programs of the job have, whose offset is a hash.
constexpr std::uint64_t runtime_module = 1;

std::uint64_t hash_bytes(std::string_view bytes) {
  const std::uint64_t hash = base::fnv_hash(bytes);
  return hash == 0 ? 1 : hash;
}

/// The GNU build id note of a loaded module, or its file name when it was linked without one.
std::uint64_t identity(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(info.dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* body = name + ((note.n_namesz + 3U) & ~3U);
      if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") {
        return hash_bytes({body, note.n_descsz});
      }
      at = body + ((note.n_descsz + 3U) & ~3U);
    }
  }
  const std::string_view path(info.dlpi_name);
  return hash_bytes(path.substr(path.rfind('/') + 1));
}

/// Of the part that code addresses can name.
std::uint64_t loaded_bytes(const dl_phdr_info& info) {
  std::uint64_t end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type == PT_LOAD && header.p_vaddr + header.p_memsz > end) {
      end = header.p_vaddr + header.p_memsz;
    }
  }
  return std::min(end, CodeAddress::offset_end);
}

}  // namespace

ModuleTable::ModuleTable() { scan(); }

void ModuleTable::scan() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* self) {
        auto& table = *static_cast<ModuleTable*>(self);
        if (reinterpret_cast<std::uintptr_t>(&loaded_bytes) - info->dlpi_addr <
            loaded_bytes(*info)) {  // this very code is linked into it
          table.main_base_ = info->dlpi_addr;
          if (base::has_other_programs()) {  // Then the main program is not the same everywhere.
            table.libraries_[base::main_build_id()] = {info->dlpi_addr, loaded_bytes(*info), ""};
          } else {
            table.main_bytes_ = loaded_bytes(*info);
          }
        } else {
          table.libraries_[identity(*info)] = {info->dlpi_addr, loaded_bytes(*info),
                                               info->dlpi_name};
        }
        return 0;
      },
      this);
}

CodeAddress ModuleTable::encode(std::uintptr_t code) {
  if (main_offset(code) < main_bytes_) return {0, main_offset(code)};
  if (base::has_other_programs()) {
    const std::uint64_t hash = RuntimeCode::own().hash_of(code);
    if (hash != 0) return {runtime_module, hash};
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const auto& [id, module] : libraries_) {
      if (code - module.base < module.bytes) return {id, code - module.base};
    }
    scan();  // loaded since the last scan
  }
  throw error("calling a function",
              fmt::format("the address {:#x} is in no loaded program or library", code),
              "pass a function of the program or of a library loaded on every rank; code made at "
              "run time cannot be called remotely");
}

std::uintptr_t ModuleTable::decode(CodeAddress address) {
  if (address.module == 0) return from_main_offset(address.offset);
  if (address.module == runtime_module) return RuntimeCode::own().with_hash(address.offset);
  auto found = libraries_.find(address.module);
  if (found == libraries_.end()) {
    scan();
    found = libraries_.find(address.module);
  }
  if (found == libraries_.end() && base::has_other_programs()) {
    throw error("calling a function",
                fmt::format("it lives in another program of the job, or in a library (build id "
                            "hash {:016x}) that this rank has not loaded",
                            address.module),
                "give the function a name in both programs, as with tasuki::Named");
  }
  if (found == libraries_.end()) {
    throw error("calling a function",
                fmt::format("it lives in a shared library (build id hash {:016x}) that this rank "
                            "has not loaded",
                            address.module),
                "load the same library on every rank before calling its functions");
  }
  return found->second.base + address.offset;
}

}  // namespace tasuki::runtime
