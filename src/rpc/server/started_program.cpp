#include "rpc/server/started_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <tasuki/detail/base/exit_code.hpp>
#include <utility>

#include "base/host_name.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {

using nlohmann::json;

namespace {

/// A launcher may take so long to say how a rank has ended, and the client of a lost rank waits for
/// that: five times what mpiexec has taken on two cores that ran sixteen other processes.
constexpr std::chrono::seconds end_wait{10};
/// The same once all ranks of several hosts have ended: tasuki run may ask the hosts then, for half
/// a minute (host_check.py).
constexpr std::chrono::seconds hosts_wait{40};
/// Its last words are read within so long, unless nobody reads what this server prints.
constexpr std::chrono::seconds words_wait{5};

/// As in the Internet's names.
constexpr std::size_t host_name_most_bytes = 255;

/// It is printed, and a line of it could pass for one of the server's own.
bool can_be_name(const std::string& host) {
  const auto is_shown = [](unsigned char one) { return one < 0x80 && std::isgraph(one) != 0; };
  return host.size() <= host_name_most_bytes && std::ranges::all_of(host, is_shown);
}

}  // namespace

void StartedProgram::start() {
  processes_.start(program_.command, {"TASUKI_SERVER=" + url_of(program_.front_end),
                                      "TASUKI_SERVER_KEY=" + program_.key});
}

void StartedProgram::end(const char* reason) {
  members_.clear();
  end_processes(reason);
  has_failed_ = false;
  join_fault_.reset();
  words_deadline_.reset();
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

void StartedProgram::refuse_join(const std::string& happened, const std::string& remedy) {
  join_fault_.emplace(fmt::format("start module {}", module_), happened, remedy);
  throw error(*join_fault_);
}

void StartedProgram::check_types(const json& join) {
  try {
    field_of<std::uint16_t>(join, "port");
    field_or<std::string>(join, "host", "");
    if (!join.contains("alone")) return;
    const auto alone = field_of<json>(join, "alone");
    for (const char* name : {"happened", "remedy"}) field_of<std::string>(alone, name);
  } catch (const error& fault) {
    refuse_join(fault.happened(), fault.remedy());
  }
}

void StartedProgram::check_join(const json& join) {
  check_types(join);
  const auto rank = field_of<int>(join, "rank");
  const auto ranks = field_of<int>(join, "ranks");
  const bool is_known = ranks == program_.ranks && rank >= 0 && rank < program_.ranks;
  if (!is_known && join.contains("alone")) {
    const auto fault = field_of<json>(join, "alone");
    refuse_join(shortened(field_of<std::string>(fault, "happened")),
                shortened(field_of<std::string>(fault, "remedy")));
  }
  if (!is_known) {
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

void StartedProgram::join(int rank, std::shared_ptr<Socket> connection, const json& join) {
  const auto host = field_or<std::string>(join, "host", "");
  members_.join(rank, std::move(connection), field_of<std::uint16_t>(join, "port"),
                can_be_name(host) ? host : std::string());
}

std::chrono::seconds StartedProgram::loss_wait() const {
  // Where a host's ranks are still there, their connections tell whether it is.
  return has_other_hosts_ && members_.have_all_gone() ? hosts_wait : end_wait;
}

bool StartedProgram::knows_why(Clock::duration waited) {
  const std::optional<ProcessEnd> end = processes_.how_ended();
  if (!end) return waited >= loss_wait();
  if (end->code != base::exit_code::host_vanished || processes_.is_all_read()) return true;
  if (!words_deadline_) words_deadline_ = Clock::now() + words_wait;
  return Clock::now() >= *words_deadline_;
}

bool StartedProgram::lose(int rank) {
  if (!has_failed_) {
    lost_ = {rank, members_.host_of(rank)};
    has_other_hosts_ = !members_.other_hosts().empty();
  }
  members_.lose(rank);
  return !std::exchange(has_failed_, true);
}

LeaseFault StartedProgram::fault_of_loss() {
  const std::optional<ProcessEnd> end = processes_.how_ended();
  if (end && end->code == base::exit_code::host_vanished) {
    const std::string told = processes_.told_of_hosts();
    if (!told.empty()) return vanished_hosts(module_, told);
  }
  if (!end) {
    const SilentHosts silent =
        silent_hosts_of([this](int rank) { return members_.has_silent_host(rank); });
    const std::chrono::duration<double> silence = end_wait;
    if (!silent.vanished.empty()) return silent_hosts(module_, silent, silence.count());
  }
  return lost_rank(module_, lost_, end);
}

SilentHosts StartedProgram::silent_hosts_of(const std::function<bool(int)>& is_silent) const {
  SilentHosts silent;
  const std::vector<RankHost> hosts = members_.other_hosts();
  for (const RankHost& host : hosts) {
    if (!std::ranges::all_of(host.ranks, is_silent)) continue;
    const auto is_unheard = [this](int rank) { return members_.has_silent_host(rank); };
    const bool has_vanished = std::ranges::all_of(host.ranks, is_unheard);
    (has_vanished ? silent.vanished : silent.stopped).push_back(host);
  }
  const bool are_all = !hosts.empty() && silent.vanished.size() == hosts.size();
  if (are_all) silent.cut_off = base::host_name();
  return silent;
}

LeaseFault StartedProgram::fault_of_silence(const Pulse& pulse, double silence_s) const {
  const int rank = pulse.silent_one().value();
  const SilentHosts silent = silent_hosts_of([&](int one) { return pulse.is_silent(one); });
  if (!silent.vanished.empty() || !silent.stopped.empty()) {
    return silent_hosts(module_, silent, silence_s);
  }
  return silent_rank(module_, {rank, members_.host_of(rank)}, silence_s);
}

}  // namespace tasuki::rpc
