#ifdef TASUKI_DEBUG
#include "runtime/collectives/collective_check.hpp"

#include <fmt/format.h>

#include <tasuki/call.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/job_programs.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/service_record.hpp"
#include "runtime/collectives/rank_collectives.hpp"

namespace tasuki::runtime {

bool CollectiveCheck::Description::is_like(const Description& other) const {
  const bool types_match = type == other.type || type.empty() || other.type.empty();
  return types_match && collective == other.collective && root == other.root &&
         op_module == other.op_module && op_offset == other.op_offset;
}

void CollectiveCheck::begin(TeamState& team, coll::Collective collective, const coll::ReduceOp* op,
                            int root, const std::type_info* type) {
  if (team.ranks.size() <= 1) return;
  Description mine;
  mine.team = team.id;
  mine.number = team.checked_count++;
  mine.team_size = static_cast<std::int32_t>(team.ranks.size());
  mine.rank = self_.rank;
  mine.collective = static_cast<std::int32_t>(collective);
  mine.root = root;
  // Programs that were linked apart have an operator each.
  if (op != nullptr && op->apply != nullptr && !base::has_other_programs()) {
    const CodeAddress code =
        self_.sender.modules().encode(reinterpret_cast<std::uintptr_t>(op->apply));
    mine.op_module = code.module;
    mine.op_offset = code.offset;
  }
  if (type != nullptr) mine.type = type->name();
  if (team.rank == 0) return compare(mine);
  // Not a call of the program: quiesce() of a team is collective, and would count its own.
  send_service_record(self_, team.ranks.front(), &handle_description, mine);
}

void CollectiveCheck::handle_description(Rank& self, int, Reader& reader) {
  const auto description = Codec<Description>::read(self.sender.modules(), reader);
  self.collectives->check().compare(description);
  service_record_done(self);
}

void CollectiveCheck::compare(const Description& description) {
  const auto key = std::pair(description.team, description.number);
  const auto [place, is_first] = awaited_.try_emplace(key, Awaited{description, 0});
  Awaited& awaited = place->second;
  if (!description.is_like(awaited.first)) {
    base::report(fmt::format(
        "collective {} on a team of {} ranks: {}, but {}. Remedy: all ranks of a team must call "
        "the same collective with the same type, operator and root",
        description.number, description.team_size, in_words(awaited.first), in_words(description)));
    end_job(self_.transport, base::exit_code::failed);
  }
  if (++awaited.arrived_count == description.team_size) awaited_.erase(place);
}

std::string CollectiveCheck::in_words(const Description& description) const {
  std::string text = fmt::format("rank {} calls {}", description.rank,
                                 coll::name_of(coll::Collective(description.collective)));
  if (!description.type.empty()) text += " of " + demangled(description.type.c_str());
  if (description.root != 0) text += fmt::format(" with root {}", description.root);
  if (description.op_offset != 0) {
    // Of "reduce_op<int, Sum>(...)::{lambda...", what tells operators apart.
    const std::string name = function_name(
        self_.sender.modules().decode({description.op_module, description.op_offset}));
    text += " with " + name.substr(0, name.find(">(") + 1);
  }
  return text;
}

}  // namespace tasuki::runtime
#endif
