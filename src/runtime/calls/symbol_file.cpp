#include "runtime/calls/symbol_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tasuki::runtime {
namespace {

/// A file as memory, for reading.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
      const auto bytes = static_cast<std::size_t>(status.st_size);
      void* at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(at), bytes};
    }
    ::close(descriptor);
  }
  ~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// `count` objects at `offset`, or none if the file is shorter.
  template <class T>
  std::span<const T> objects(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), static_cast<std::size_t>(count)};
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

const char* path_of(const link_map& module) noexcept {
  return *module.l_name == '\0' ? "/proc/self/exe" : module.l_name;
}

void for_each_function(const char* path, unsigned table_type, const UseFunction& use) {
  const MappedFile file(path);
  const auto head = file.objects<ElfW(Ehdr)>(0, 1);
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto sections = file.objects<ElfW(Shdr)>(head[0].e_shoff, head[0].e_shnum);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != table_type || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& names = sections[section.sh_link];
    const auto text = file.objects<char>(names.sh_offset, names.sh_size);
    const auto symbols =
        file.objects<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym)));
    for (const ElfW(Sym) & symbol : symbols) {
      const bool is_function = (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
      if (!is_function || symbol.st_name >= text.size()) continue;
      if (!use(text.data() + symbol.st_name, symbol)) return;
    }
  }
}

}  // namespace tasuki::runtime
