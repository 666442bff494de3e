// How often collectives were carried out by Tasuki, and how often by the MPI library, and why.
//
// The tuned collectives count in it; at MPI_Finalize each rank appends its counts to the file that
// TASUKI_TUNED_REPORT names, a JSON object in a line, which `tasuki run --tuned` shows as a table.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::mpi::collectives {

class Usage {
 public:
  /// One more call of `collective` carried out by `how`: an algorithm's name, or "native".
  /// `why` is the reason. All texts must live as long as the process.
  void count(const char* collective, const char* how, const char* why, std::size_t bytes) noexcept;

  /// Writes all counts. `rank` is that in MPI_COMM_WORLD, `ranks` their number.
  void append_to(const std::string& path, int rank, int ranks) const;

 private:
  struct Row {
    const char* collective;
    const char* how;
    const char* why;
    std::uint64_t calls;
    std::uint64_t bytes;
  };

  std::vector<Row> rows_;
};

}  // namespace tasuki::mpi::collectives
