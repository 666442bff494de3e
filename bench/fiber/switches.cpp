// bench_fiber: what the fiber layer's steps cost, without a transport. The numbers of
// docs/design/fiber-promotion.md are made by this program.
//
// Each line gives the lowest, the lower quartile and the median of 400 short samples, so that other
// load on the machine shows as a spread and does not change the first two.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cfenv>
#include <cstddef>
#include <memory>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/context.hpp>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <vector>

namespace {

using namespace tasuki::fiber;
using tasuki::base::make_context;
using tasuki::base::switch_context;
using tasuki::base::Transfer;

constexpr int samples_count = 400;
constexpr std::size_t ring_size = 100;
constexpr std::size_t ring_stack_bytes = 16 * 1024 + 64;  // Not a multiple of a page: cache sets.

/// Times `body` in samples of `repetitions` calls; prints nanoseconds per call and `divisor`.
template <class Body>
void measure(const char* name, int repetitions, double divisor, Body body) {
  std::vector<double> samples;
  for (int i = 0; i < samples_count; ++i) {
    const std::int64_t start_ns = tasuki::base::now_ns();
    for (int k = 0; k < repetitions; ++k) body();
    const std::int64_t elapsed_ns = tasuki::base::now_ns() - start_ns;
    samples.push_back(static_cast<double>(elapsed_ns) / repetitions / divisor);
  }
  std::sort(samples.begin(), samples.end());
  fmt::print("{:<48} {:8.1f} {:8.1f} {:8.1f}\n", name, samples[0], samples[samples.size() / 4],
             samples[samples.size() / 2]);
}

/// Contexts that jump to the next in turn and do nothing else.
struct Ring {
  std::array<void*, ring_size> contexts{};
  std::size_t running = 0;
  std::unique_ptr<std::byte[]> stacks =
      std::make_unique<std::byte[]>((ring_size + 1) * ring_stack_bytes);

  void* stack_end(std::size_t index) {
    const auto end =
        reinterpret_cast<std::uintptr_t>(stacks.get()) + (index + 1) * ring_stack_bytes;
    return reinterpret_cast<void*>(end / 64 * 64);
  }
  std::size_t advance() {
    const std::size_t self = running;
    running = self + 1 == ring_size ? 0 : self + 1;
    return self;
  }
  void left(void* context) { contexts[running == 0 ? ring_size - 1 : running - 1] = context; }
};

Ring ring;

[[gnu::noinline]] void jump_with_boost() {
  ring.advance();
  ring.left(boost::context::detail::jump_fcontext(ring.contexts[ring.running], nullptr).fctx);
}

[[gnu::noinline]] void jump_with_ours() {
  ring.advance();
  ring.left(switch_context(ring.contexts[ring.running], nullptr).context);
}

Transfer jump_forever(Transfer first) {
  ring.left(first.context);
  for (;;) jump_with_ours();
}

void measure_jumps() {
  for (std::size_t i = 1; i < ring_size; ++i) {
    ring.contexts[i] = boost::context::detail::make_fcontext(
        ring.stack_end(i), ring_stack_bytes / 2, [](boost::context::detail::transfer_t transfer) {
          ring.left(transfer.fctx);
          for (;;) jump_with_boost();
        });
  }
  measure("jump, Boost.Context, 100 contexts", 20, ring_size, [] { jump_with_boost(); });
  for (std::size_t i = 1; i < ring_size; ++i) {
    ring.contexts[i] = make_context<&jump_forever>(ring.stack_end(i), ring_stack_bytes / 2);
  }
  measure("jump, ours, 100 contexts", 20, ring_size, [] { jump_with_ours(); });
}

/// What a switch would pay for loading all of each context's floating-point state.
void measure_floating_point_loads() {
#if defined(__x86_64__)
  const unsigned plain = __builtin_ia32_stmxcsr() & ~0x3fU;
  const auto alternate = [plain](unsigned difference) {
    return [plain, difference, value = plain]() mutable {
      __builtin_ia32_ldmxcsr(value);
      [[maybe_unused]] const volatile unsigned stored = __builtin_ia32_stmxcsr();
      value = plain ^ difference ^ (value & difference);
    };
  };
  measure("MXCSR loaded and stored, nothing changes", 1000, 1, alternate(0));
  measure("MXCSR loaded and stored, the rounding changes", 1000, 1, alternate(0x2000));
  measure("MXCSR loaded and stored, a status flag changes", 1000, 1, alternate(0x20));
  __builtin_ia32_ldmxcsr(plain);
#endif
}

/// A scheduler whose poller finds one thing to do at a time.
struct Rank {
  Scheduler scheduler{SchedulerOptions{}, PollerHooks{this, &step, [](void*, std::uint64_t) {}}};
  bool call_has_arrived = false;
  int inline_calls_count = 0;
  Fiber* handler = nullptr;
  Fiber* caller = nullptr;
  bool go_on = true;

  static bool step(void* self) {
    auto* const rank = static_cast<Rank*>(self);
    for (; rank->inline_calls_count > 0; --rank->inline_calls_count) {
      rank->scheduler.set_activity(
          {.caller_rank = 1, .function = 2, .call_id = 3, .label = "call"});
      asm volatile("" ::: "memory");  // The handler.
      if (!rank->scheduler.is_poller()) return true;
    }
    if (rank->call_has_arrived) {
      rank->call_has_arrived = false;
      rank->handler = rank->scheduler.current();
      rank->scheduler.suspend({.kind = WaitKind::reply, .rank = 1});
      rank->scheduler.make_ready(rank->caller);
      rank->caller = nullptr;
      return true;
    }
    Fiber*& wakes = rank->handler != nullptr ? rank->handler : rank->caller;
    if (wakes == nullptr) return false;
    Fiber* const fiber = wakes;
    wakes = nullptr;
    rank->scheduler.make_ready(fiber);
    return true;
  }

  void wait() {
    caller = scheduler.current();
    scheduler.suspend({.kind = WaitKind::reply, .rank = 1});
  }
};

void measure_yields(Rank& rank) {
  for (const int fibers_count : {10, 100, 1000}) {
    rank.go_on = true;
    for (int i = 0; i < fibers_count; ++i) {
      rank.scheduler.spawn(
          [](void* self) {
            auto* const owner = static_cast<Rank*>(self);
            while (owner->go_on) owner->scheduler.yield();
          },
          &rank);
    }
    rank.scheduler.yield();
    const auto name = fmt::format("switch, {} fibers that yield, a poll per round", fibers_count);
    // In a round all fibers, main and the poller have a turn.
    measure(name.c_str(), 2000 / fibers_count, fibers_count + 2, [&] { rank.scheduler.yield(); });
    rank.go_on = false;
    while (rank.scheduler.live_count() > 1) rank.scheduler.yield();
  }
}

void measure_rank(Rank& rank) {
  measure_yields(rank);
  measure("inline handler, bookkeeping", 10, 1000, [&] {
    rank.inline_calls_count = 1000;
    rank.scheduler.yield();
  });
  measure("yield alone: to the poller, a step, back", 1000, 1, [&] { rank.scheduler.yield(); });
  measure("wait, woken by the poller's next step", 500, 1, [&] { rank.wait(); });
  std::fesetround(FE_UPWARD);
  measure("the same, rounding modes differ", 500, 1, [&] { rank.wait(); });
  std::fesetround(FE_TONEAREST);
  measure("fiber spawned, run, ended; main yields", 500, 1, [&] {
    rank.scheduler.spawn([](void*) {}, nullptr);
    rank.scheduler.yield();
  });
  measure("handler promoted, woken, wakes its caller", 300, 1, [&] {
    rank.call_has_arrived = true;
    rank.wait();
  });
}

}  // namespace

int main() {
  fmt::print("{:<48} {:>8} {:>8} {:>8}\n", "ns", "lowest", "quartile", "median");
  measure_jumps();
  measure_floating_point_loads();
  Rank rank;
  rank.scheduler.run([](void* self) { measure_rank(*static_cast<Rank*>(self)); }, &rank);
}
