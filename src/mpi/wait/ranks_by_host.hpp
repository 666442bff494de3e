// Ranks as an error names them: those of a host together.
//
// PreloadedRanks names those that do not answer.
//
// Thread-safety: any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tasuki::mpi::wait {

/// As in "rank 2 (host h1)" or "ranks 2, 3 (host h1), ranks 4, 6 (host h2)", and a part of them
/// where they are many. `host_of` gives "" where it does not know a host.
std::string describe_by_host(const std::vector<int>& ranks,
                             const std::function<std::string(int)>& host_of);

}  // namespace tasuki::mpi::wait
