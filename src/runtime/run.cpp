#include <cstdlib>
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>
#include <tasuki/runtime/run.hpp>
#include <tasuki/runtime/world.hpp>
#include <tasuki/transport/loopback.hpp>
#include <tasuki/transport/registry.hpp>

namespace tasuki {
namespace runtime {
namespace {

constexpr int start_failure_exit_code = 69;

int serve_only(void*) { return 0; }

int run_one(World& world, int (*main)(void*), void* argument, bool master_only) {
  const bool serves = master_only && world.rank() != 0;
  return world.run(serves ? &serve_only : main, argument);
}

/// All ranks in this process; the first non-zero exit code counts.
int run_loopback(int (*main)(void*), void* argument, bool master_only) {
  transport::LoopbackHooks hooks;
  hooks.save_current = []() -> void* { return World::current_or_null(); };
  hooks.restore_current = [](void* world) { World::set_current(static_cast<World*>(world)); };
  int exit_code = 0;
  transport::LoopbackCluster cluster(transport::LoopbackOptions::from_settings(), std::move(hooks));
  cluster.run([&](transport::Transport& transport) {
    World world(transport);
    const int rank_exit_code = run_one(world, main, argument, master_only);
    if (exit_code == 0) exit_code = rank_exit_code;
  });
  return exit_code;
}

}  // namespace

int run_ranks(int (*main)(void*), void* argument, bool master_only) {
  try {
    base::check_environment();
    if (base::setting::transport.text() == "loopback") {
      return run_loopback(main, argument, master_only);
    }
    World world(transport::open_transport());
    return run_one(world, main, argument, master_only);
  } catch (const error& e) {
    base::report(e.what());
    return start_failure_exit_code;
  }
}

}  // namespace runtime

int rank() { return runtime::World::current().rank(); }

int size() { return runtime::World::current().size(); }

}  // namespace tasuki
