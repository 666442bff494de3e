// The folders in which Tasuki looks for its MPI plug-ins.
//
// Called by the mpi transport, and by `tasuki info`, from which `tasuki mpi-plugin` knows where to
// put a plug-in.
//
// Thread-safety: none.
#pragma once

#include <filesystem>
#include <vector>

namespace tasuki::transport {

/// Each folder once, in the order of the search: the one that TASUKI_PLUGIN_DIR names, else beside
/// the program, beside the library that Tasuki is in, on the run path, where the plug-ins were to
/// be installed when Tasuki was configured.
std::vector<std::filesystem::path> mpi_plugin_directories();

/// Where a plug-in that is missing belongs: the first of these folders that there is, else the last
/// one. Installing Tasuki makes its folder, even without an MPI.
std::filesystem::path mpi_plugin_home();

}  // namespace tasuki::transport
