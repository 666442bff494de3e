// Debug builds compare what the ranks of a team call: the same collective of the same type, with
// the same operator and root. Every build notices other collectives, sizes and roots where the
// ranks exchange data: by the tags of the staging buffer (node/segment/call_tag.hpp) and by lengths
// of messages.
//
// Each rank sends a description of each collective that it begins to the team's first rank, which
// compares; nobody waits for that. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <typeinfo>
#include <utility>

namespace tasuki::runtime {

struct TeamState;

class CollectiveCheck {
 public:
  explicit CollectiveCheck(Rank& self) : self_(self) {}

#ifdef TASUKI_DEBUG
  static constexpr bool is_on = true;
  /// This rank begins a collective of a team; null: it has no operator, its type is not known.
  /// May wait for room. Ends the job if another rank is known to call it differently.
  void begin(TeamState& team, coll::Collective collective, const coll::ReduceOp* op, int root,
             const std::type_info* type);
#else
  static constexpr bool is_on = false;
  void begin(TeamState&, coll::Collective, const coll::ReduceOp*, int, const std::type_info*) {}
#endif

 private:
  /// What one rank calls, as it travels.
  struct Description {
    std::uint64_t team = 0;
    std::uint64_t number = 0;  ///< Of the collective on its team.
    std::int32_t team_size = 0;
    std::int32_t rank = 0;  ///< In the world.
    std::int32_t collective = 0;
    std::int32_t root = 0;
    std::uint64_t op_module = 0;
    std::uint64_t op_offset = 0;
    std::string type;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(team, number, team_size, rank, collective, root, op_module, op_offset, type);
    }
    bool is_like(const Description& other) const;
  };
  struct Awaited {
    Description first;
    int arrived_count = 0;
  };

  static void handle_description(Rank& self, int source, Reader& reader);
  void compare(const Description& description);
  std::string in_words(const Description& description) const;

  Rank& self_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Awaited> awaited_;  ///< By team and number.
};

}  // namespace tasuki::runtime
