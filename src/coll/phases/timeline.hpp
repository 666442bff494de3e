// A timeline: steps put down at points of a common time, for pipelines that overlap.
//
// Where several trees or segments are under way at once, their steps have to be merged into
// rounds so that nobody waits in a circle. If every step depends only on steps of earlier times
// on any rank, rounds in order of time cannot.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <map>
#include <vector>

#include <tasuki/detail/coll/schedule_builder.hpp>

namespace tasuki::coll {

class Timeline {
 public:
  void send(int time, int peer, Slice from) { moments_[time].sends.push_back({peer, 0, from}); }
  void receive(int time, int peer, Slice into) {
    moments_[time].receives.push_back({peer, 0, into});
  }
  /// After the transfers of that time, in the order given.
  void local(int time, LocalKind kind, Slice from, Slice to) {
    moments_[time].locals.push_back({kind, from, to});
  }

  /// One round for each time at which there is anything to do.
  void write(ScheduleBuilder& builder) const;

 private:
  struct Local {
    LocalKind kind;
    Slice from;
    Slice to;
  };
  struct Moment {
    std::vector<Transfer> receives, sends;
    std::vector<Local> locals;
  };
  std::map<int, Moment> moments_;
};

}  // namespace tasuki::coll
