#include "rpc/server/started_program.hpp"

#include <fmt/format.h>

#include <utility>

#include "rpc/server/rank_faults.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

void StartedProgram::start() {
  processes_.start(program_.command, {"TASUKI_SERVER=" + url_of(program_.front_end),
                                      "TASUKI_SERVER_KEY=" + program_.key});
}

void StartedProgram::end(const char* reason) {
  members_.clear();
  end_processes(reason);
  has_failed_ = false;
  join_fault_.reset();
}

void StartedProgram::end_processes(const char* reason) {
  processes_.end(end_notice(module_, reason));
}

void StartedProgram::check_joins() {
  if (join_fault_) {
    has_failed_ = true;
    throw error(*join_fault_);
  }
  if (must_restart()) {
    has_failed_ = true;
    throw failed_start(module_, processes_.how_ended(), processes_.last_lines());
  }
}

void StartedProgram::refuse_join(const std::string& happened, const char* remedy) {
  join_fault_.emplace(fmt::format("start module {}", module_), happened, remedy);
  throw error(*join_fault_);
}

void StartedProgram::check_join(const json& join) {
  const auto rank = field_of<int>(join, "rank");
  const auto ranks = field_of<int>(join, "ranks");
  if (ranks != program_.ranks || rank < 0 || rank >= program_.ranks) {
    refuse_join(fmt::format("rank {} of {} has joined, and the module has {} ranks", rank, ranks,
                            program_.ranks),
                "start as many processes as the server was told");
  }
  if (join.contains("signature") &&
      field_of<std::string>(join, "signature") != program_.signature) {
    refuse_join("its program was built for another interface than the server offers",
                "let the server reload its files, by SIGHUP");
  }
}

bool StartedProgram::lose(int rank) {
  members_.lose(rank);
  return !std::exchange(has_failed_, true);
}

}  // namespace tasuki::rpc
