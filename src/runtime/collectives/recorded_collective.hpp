// A collective while it is carried out or started, told to the rank's recorder.
//
// RankCollectives calls it where the program is profiled. Thread-safety: none; the rank's own
// thread.
#pragma once

#include "runtime/collectives/team_state.hpp"
#include "runtime/recording/recorder.hpp"

namespace tasuki::runtime {

inline Recorder::CollectiveFacts facts_of(const TeamState& team, const coll::Call& call,
                                          const char* algorithm, bool is_blocking) {
  const std::size_t element_bytes = call.shape.element_bytes;
  const auto root = static_cast<std::size_t>(call.shape.root);
  return {.name = coll::name_of(call.collective),
          .algorithm = algorithm,
          .team_id = team.id,
          .team_size = team.ranks.size(),
          .team_rank = team.rank,
          .root = coll::has_root(call.collective) ? team.ranks[root] : -1,
          .sent_bytes = call.input_count * element_bytes,
          .received_bytes = call.output_count * element_bytes,
          .is_blocking = is_blocking};
}

/// Carries the collective out by `run()`. Not inlined, so that the others keep their small frames.
template <class Run>
[[gnu::noinline, gnu::cold]] auto record_collective(Recorder& recorder,
                                                    const Recorder::CollectiveFacts& facts,
                                                    const Run& run) {
  struct Recorded : Recorder::Collective {
    Recorder& to;
    Recorded(Recorder& into, const Recorder::CollectiveFacts& of) : to(into) {
      to.begin(*this, of);
    }
    ~Recorded() { to.end(*this); }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
  } const recorded(recorder, facts);
  return run();
}

}  // namespace tasuki::runtime
