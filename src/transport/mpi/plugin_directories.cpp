#include <tasuki/detail/transport/mpi_plugin_directories.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <tasuki/detail/base/settings.hpp>

namespace tasuki::transport {
namespace {

namespace fs = std::filesystem;

/// The program or library that Tasuki is linked into; "" if it cannot be known: a program may have
/// been found in the PATH by its bare name, which says nothing about its folder.
fs::path own_file() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&mpi_plugin_directories), &own) == 0) return "";
  if (own.dli_fname == nullptr || std::strchr(own.dli_fname, '/') == nullptr) return "";
  std::error_code failure;
  return fs::absolute(own.dli_fname, failure).lexically_normal();
}

/// Folders named tasuki among those where the dynamic linker looks for the libraries of the program
/// (or library) that Tasuki is linked into: find_package(tasuki) puts the installed one on its run
/// path.
std::vector<fs::path> run_path_directories() {
  const fs::path own = own_file();
  void* object = own.empty() ? nullptr : ::dlopen(own.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) object = ::dlopen(nullptr, RTLD_LAZY);  // it is the program itself
  Dl_serinfo size{};
  if (object == nullptr || ::dlinfo(object, RTLD_DI_SERINFOSIZE, &size) != 0) return {};
  const auto room = std::make_unique<std::byte[]>(size.dls_size);
  auto* const all = reinterpret_cast<Dl_serinfo*>(room.get());
  std::vector<fs::path> directories;
  if (::dlinfo(object, RTLD_DI_SERINFOSIZE, all) == 0 &&
      ::dlinfo(object, RTLD_DI_SERINFO, all) == 0) {
    for (unsigned i = 0; i < all->dls_cnt; ++i) {
      const fs::path directory = all->dls_serpath[i].dls_name;
      if (directory.filename() == "tasuki") directories.push_back(directory);
    }
  }
  ::dlclose(object);
  return directories;
}

}  // namespace

std::vector<fs::path> mpi_plugin_directories() {
  const std::string asked = base::setting::plugin_dir.text();
  if (!asked.empty()) return {asked};
  std::vector<fs::path> directories;
  const auto add = [&](const fs::path& directory) {
    const bool is_new =
        std::find(directories.begin(), directories.end(), directory) == directories.end();
    if (is_new) directories.push_back(directory);
  };
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (!failure) add(program.parent_path().parent_path() / "lib/tasuki");
  const fs::path own = own_file();
  if (!own.empty()) {
    add(own.parent_path() / "tasuki");
    add(own.parent_path().parent_path() / "lib/tasuki");
  }
  for (const fs::path& directory : run_path_directories()) add(directory);
  add(TASUKI_PLUGIN_INSTALL_DIR);
  return directories;
}

fs::path mpi_plugin_home() {
  const std::vector<fs::path> directories = mpi_plugin_directories();
  const auto found =
      std::find_if(directories.begin(), directories.end(), [](const fs::path& directory) {
        std::error_code failure;
        return fs::is_directory(directory, failure);
      });
  return found != directories.end() ? *found : directories.back();
}

}  // namespace tasuki::transport
