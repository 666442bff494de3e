#include <cstdlib>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/detail/transport/loopback.hpp>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/error.hpp>
#include <tasuki/run.hpp>
#include <utility>

#include "runtime/world/report_request.hpp"
#include "runtime/world/world.hpp"

namespace tasuki {
namespace runtime {

int run_ranks_on(const void* communicator, int (*main)(void*), void* argument);  // runtime/mpi.hpp

namespace {

/// What one rank is to do.
struct Part {
  int (*main)(void*);
  void* argument;
  bool master_only;
  void (*prepare)();
};

int run_part(void* untyped) {
  const auto& part = *static_cast<Part*>(untyped);
  if (part.prepare != nullptr) part.prepare();
  const bool serves_only = part.master_only && Rank::current().rank != 0;
  return serves_only ? 0 : part.main(part.argument);
}

/// All ranks in this process; the first non-zero exit code counts.
int run_loopback(Part& part) {
  transport::LoopbackHooks hooks;
  hooks.save_current = []() -> void* { return Rank::current_or_null(); };
  hooks.restore_current = [](void* rank) { World::make_current(static_cast<Rank*>(rank)); };
  int exit_code = 0;
  transport::LoopbackCluster cluster(transport::LoopbackOptions::from_settings(), std::move(hooks));
  cluster.run([&](transport::Transport& transport) {
    World world(transport);
    const int rank_exit_code = world.run(&run_part, &part);
    if (exit_code == 0) exit_code = rank_exit_code;
  });
  return exit_code;
}

/// The job's memory and MPI serve one job; a second would fail in them, less clearly.
void begin_once() {
  static bool has_begun = false;
  if (!std::exchange(has_begun, true)) return;
  throw error("tasuki::run", "it was called in this process before",
              "call it once, from main, with all that the ranks do inside");
}

}  // namespace

int run_ranks(int (*main)(void*), void* argument, bool master_only, void (*prepare)()) {
  Part part{main, argument, master_only, prepare};
  try {
    begin_once();
    base::check_environment();
    IdleWork::wanted_mode();  // throws before the job has begun
    accept_report_requests();
    if (base::setting::transport.text() == "loopback") {
      return run_loopback(part);
    }
    World world(transport::open_transport());
    return world.run(&run_part, &part);
  } catch (const error& e) {
    base::report(e.what());
    return base::exit_code::not_started;
  }
}

int run_ranks_on(const void* communicator, int (*main)(void*), void* argument) {
  Part part{main, argument, false, nullptr};
  try {
    base::check_environment();
    IdleWork::wanted_mode();  // throws before the job has begun
    accept_report_requests();
    World world(transport::open_mpi_transport(communicator));
    return world.run(&run_part, &part);
  } catch (const error& e) {
    base::report(e.what());
    return base::exit_code::not_started;
  }
}

}  // namespace runtime

int rank() { return runtime::Rank::current().rank; }

int size() { return runtime::Rank::current().size; }

}  // namespace tasuki
