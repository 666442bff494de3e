#include <cstdio>
#include <tasuki/fiber/scheduler.hpp>
#include <tasuki/transport/registry.hpp>

int main() {
  tasuki::fiber::PollerHooks hooks;
  hooks.step = [](void*) { return false; };
  hooks.idle = [](void*, std::uint64_t) {};
  tasuki::fiber::Scheduler scheduler({}, hooks);
  scheduler.run(
      [](void*) { std::printf("%zu transports\n", tasuki::transport::all_transports().size()); },
      nullptr);
}
