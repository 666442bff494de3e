#include "transport/mpi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/mpi_plugin_directories.hpp>
#include <tasuki/error.hpp>

#include "base/started_processes.hpp"

// Present only in programs with the table linked in (SimGrid).
extern "C" __attribute__((weak)) const tasuki::transport::mpi::Functions* tasuki_mpi_functions();

namespace tasuki::transport::mpi {
namespace {

namespace fs = std::filesystem;

/// An MPI we have a plug-in for, and how to tell it.
struct Family {
  const char* name;
  const char* symbol;                    ///< Only its library has it.
  const char* environment;               ///< Only its launcher sets it: the number of ranks.
  std::array<const char*, 2> libraries;  ///< All with the same binary interface.
  /// Programs that start ranks, in the folder beside the library's own.
  std::array<const char*, 4> launchers;
};

constexpr std::array families = {
    Family{"ompi",
           "ompi_mpi_comm_world",
           "OMPI_COMM_WORLD_SIZE",
           {"libmpi.so.40", "libmpi.so"},
           {"orterun", "orted", "prterun", "prted"}},
    Family{"mpich",
           "MPIR_Err_create_code",
           "PMI_SIZE",
           {"libmpi.so.12", "libmpich.so.12"},
           {"hydra_pmi_proxy", "mpiexec.hydra", "mpiexec", "mpirun"}},
};

std::string plugin_file(std::string_view family) {
  return fmt::format("transport_mpi_{}.so", family);
}

/// Path of the plug-in, or "" if there is none.
std::string find_plugin(std::string_view family) {
  for (const fs::path& directory : mpi_plugin_directories()) {
    const fs::path path = directory / plugin_file(family);
    std::error_code failure;
    if (fs::exists(path, failure)) return path.string();
  }
  return "";
}

bool is_linked_in() noexcept { return &tasuki_mpi_functions != nullptr; }

const Family& family_named(std::string_view name) {
  const auto found = std::find_if(families.begin(), families.end(),
                                  [&](const Family& family) { return name == family.name; });
  if (found != families.end()) return *found;
  throw error("choosing the MPI", fmt::format("{}={} is not known", base::setting::mpi.name, name),
              "choose one of: auto, ompi, mpich");
}

/// The family whose library this process has already, or null.
const Family* loaded_family() {
  for (const Family& family : families) {
    if (::dlsym(RTLD_DEFAULT, family.symbol) != nullptr) return &family;
  }
  return nullptr;
}

/// The family that is asked for or that this process belongs to, or null if nothing tells.
const Family* own_family() {
  const std::string asked = base::setting::mpi.text();
  const Family* const loaded = loaded_family();
  if (asked == "auto" && loaded != nullptr) return loaded;
  if (asked != "auto") {
    const Family& named = family_named(asked);
    if (loaded == nullptr || loaded == &named) return &named;
    throw error("choosing the MPI",
                fmt::format("the program is linked with {}, but {} is {}", loaded->name,
                            base::setting::mpi.name, named.name),
                fmt::format("start it with that MPI: tasuki run --transport mpi --mpi {}, or its "
                            "mpirun",
                            loaded->name));
  }
  for (const Family& family : families) {
    if (std::getenv(family.environment) != nullptr) return &family;
  }
  return nullptr;
}

/// The family to load; throws if there is none.
const Family& chosen_family() {
  const Family* const own = own_family();
  for (const Family& family : families) {
    if ((own == nullptr || own == &family) && !find_plugin(family.name).empty()) return family;
  }
  std::string searched;
  for (const fs::path& directory : mpi_plugin_directories()) {
    searched += (searched.empty() ? "" : ", ") + directory.string();
  }
  throw error(
      "choosing the MPI",
      fmt::format("there is no {} in {}", plugin_file(own == nullptr ? "*" : own->name), searched),
      fmt::format("build it where that MPI's compiler wrapper (mpicxx) is installed: tasuki "
                  "mpi-plugin --output {}; or set {} to the folder that has it",
                  mpi_plugin_home().string(), base::setting::plugin_dir.name));
}

const Functions* functions_of(void* plugin, const std::string& path) {
  using Entry = const Functions* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(plugin, "tasuki_mpi_functions"));
  const Functions* functions = entry != nullptr ? entry() : nullptr;
  if (functions != nullptr && functions->version == functions_version) return functions;
  throw error("loading the MPI plug-in", fmt::format("{} belongs to another Tasuki", path),
              "install or build Tasuki again");
}

/// Parent of a process; 0 if there is none or it cannot be known.
int parent_of(int process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("PPid:")) continue;
    return static_cast<int>(std::strtol(line.c_str() + 5, nullptr, 10));
  }
  return 0;
}

/// Where the library of the launcher above this process would be, or "" if there is no such one:
/// a shell or a debugger may stand between.
fs::path directory_beside_launcher(const Family& family) {
  for (int process = ::getppid(); process > 1; process = parent_of(process)) {
    std::error_code failure;
    const fs::path program = fs::read_symlink(fmt::format("/proc/{}/exe", process), failure);
    const bool is_launcher =
        std::any_of(family.launchers.begin(), family.launchers.end(),
                    [&](const char* name) { return program.filename() == name; });
    if (is_launcher) return program.parent_path().parent_path() / "lib";
  }
  return "";
}

/// Makes an MPI library's symbols known to this process, globally because such libraries load
/// parts of their own that refer back to them: the one that is there already, else the one
/// installed with the launcher, else the one the system finds. Throws tasuki::error.
void load_mpi_of(const Family& family) {
  if (loaded_family() == &family) return;
  const fs::path beside = directory_beside_launcher(family);
  for (const bool is_beside_launcher : {true, false}) {
    for (const char* library : family.libraries) {
      const std::string path = is_beside_launcher ? (beside / library).string() : library;
      std::error_code failure;
      if (is_beside_launcher && !fs::exists(path, failure)) continue;
      void* const loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
      if (loaded == nullptr) continue;
      if (::dlsym(loaded, family.symbol) != nullptr) return;
      ::dlclose(loaded);
    }
  }
  throw error("loading the MPI library",
              fmt::format("there is no {} on this machine, or it cannot be loaded", family.name),
              fmt::format("make it available (LD_LIBRARY_PATH), or choose another MPI with {}",
                          base::setting::mpi.name));
}

const Functions* load() {
  if (is_linked_in()) return tasuki_mpi_functions();
  const Family& family = chosen_family();
  const std::string path = find_plugin(family.name);
  load_mpi_of(family);
  void* plugin = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    throw error("loading the MPI plug-in", ::dlerror(), "install or build Tasuki again");
  }
  return functions_of(plugin, path);
}

/// The library that was loaded knows nothing of the others that have been started.
std::string remedy_for(const base::StartedProcesses& started, const Functions& functions,
                       const Job& job) {
  if (started.by_slurm) return base::slurm_remedy();
  if (!job.initialized_by_us) {
    return fmt::format("the program is linked with {}: use its mpirun", functions.family);
  }
  return fmt::format(
      "leave {} unset or set it to that of the launcher, or use the mpirun of that "
      "library",
      base::setting::mpi.name);
}

}  // namespace

const Functions& load_library() {
  static const Functions* const loaded = load();
  return *loaded;
}

std::string library_unavailable_because() {
  if (is_linked_in()) return "";
  try {
    chosen_family();
    return "";
  } catch (const error& why) {
    return fmt::format("{}; {}", why.happened(), why.remedy());
  }
}

void check_launcher(const Functions& functions, const Job& job) {
  if (job.is_simulated || job.world_size != 1) return;
  const char* const operation = "starting the mpi transport";
  if (const auto started = base::started_processes()) {
    refuse_unjoined(*started, operation,
                    fmt::format("{}, but the MPI library that was loaded ({}) knows of this one "
                                "only",
                                describe(*started), functions.family),
                    remedy_for(*started, functions, job));
  }
  if (!base::setting::job_fd.is_set() || base::setting::size.integer() <= 1) return;
  throw error(
      operation,
      fmt::format("tasuki run has started {} ranks without MPI, but the program starts MPI "
                  "itself, which knows of this one only",
                  base::setting::size.integer()),
      fmt::format("use tasuki run --transport mpi --mpi {}, or its mpirun", functions.family));
}

void report_failure(const Functions& functions, int code, const char* operation) {
  std::array<char, 512> text{};
  functions.describe_error(code, text.data(), text.size());
  throw error(operation, fmt::format("MPI reports: {}", text.data()),
              "see what the MPI library or another rank has printed before");
}

}  // namespace tasuki::transport::mpi
