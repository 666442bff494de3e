// An earlier run of the same program: how long its waits have lasted, and what came, from the
// events that it recorded (docs/formats/mpi-events.md).
//
// The waiting and the predictions go by it where TASUKI_PREDICT_EARLIER names its folder. It is the
// oracle that the prediction is compared with. Thread-safety: none.
#pragma once

#include <tasuki/detail/predict/receive.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::mpi::ahead {

class RecordedRun {
 public:
  /// Of rank `rank` of `ranks_count`. `world_number` is what messages of MPI_COMM_WORLD have as
  /// their communicator. Throws tasuki::error if the folder has no such events.
  RecordedRun(const std::string& folder, std::int32_t rank, std::int32_t ranks_count,
              std::uint32_t world_number);

  /// The messages that it received, in the order in which they came.
  const std::vector<predict::Arrival>& arrivals() const noexcept { return arrivals_; }

  /// How long the next call from `place`, an address of this program, has lasted. None where the
  /// earlier run had no more from there.
  std::optional<std::int64_t> next_wait_ns(const void* place);

 private:
  /// An address of the program, wherever it is loaded: the name of the file, and the offset.
  using Site = std::pair<std::string, std::uint64_t>;
  struct Cursor {
    const std::vector<std::int64_t>* waits_ns;
    std::size_t next = 0;
  };

  static std::vector<Site> sites_of(const std::vector<char>& file);
  Cursor cursor_of(const void* place) const;

  std::vector<predict::Arrival> arrivals_;
  std::map<Site, std::vector<std::int64_t>> waits_ns_;
  std::unordered_map<const void*, Cursor> cursors_;
};

}  // namespace tasuki::mpi::ahead
