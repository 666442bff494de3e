// How many bytes the calls have together that the front end holds as a whole (mode original).
//
// Owned by the front end; each such call takes its part before anything is allocated.
// Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <mutex>

namespace tasuki::rpc {

class StagingRoom {
 public:
  explicit StagingRoom(std::int64_t most_bytes) : most_bytes_(most_bytes) {}
  StagingRoom(const StagingRoom&) = delete;
  StagingRoom& operator=(const StagingRoom&) = delete;

  /// While it lives, a call has so many bytes of the room.
  class Part {
   public:
    /// Throws tasuki::error that names the other modes if the room has less left. Requires: the
    /// room outlives it.
    Part(StagingRoom& room, std::int64_t bytes);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    StagingRoom& room_;
    const std::int64_t bytes_;
  };

 private:
  const std::int64_t most_bytes_;
  std::mutex mutex_;
  std::int64_t used_bytes_ = 0;  ///< Guarded by mutex_.
};

}  // namespace tasuki::rpc
