#include <tasuki/detail/base/context.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <memory>
#include <string>

#include "fiber/sanitizer.hpp"

namespace tasuki::base {
namespace {

namespace sanitizer = fiber::sanitizer;

constexpr std::size_t stack_bytes = 64 * 1024;

/// A context under test and the code that talks to it; announces the jumps to the sanitizers.
class Peer {
 public:
  /// What `entry` returns is its last answer; it is called anew for the exchange after that.
  explicit Peer(std::intptr_t (*entry)(Peer&)) : entry_(entry) {
    fiber_.stack_bottom = storage_[0].bytes;
    fiber_.stack_bytes = stack_bytes;
    sanitizer::begin(&fiber_);
    other_ = make_context<&start>(storage_[0].bytes + stack_bytes, stack_bytes);
  }

  ~Peer() { sanitizer::forget(&fiber_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// From outside: runs the peer until it answers. From inside: answers.
  std::intptr_t exchange(std::intptr_t value) {
    fiber::Fiber* const self = inside_ ? &fiber_ : &caller_;
    fiber::Fiber* const next = inside_ ? &caller_ : &fiber_;
    inside_ = !inside_;
    value_ = value;
    sanitizer::leave(self, next, false);
    other_ = switch_context(other_, this).context;
    sanitizer::arrive(self, next);
    return value_;
  }

  std::intptr_t value() const { return value_; }

 private:
  [[gnu::no_sanitize_thread]] static Transfer start(Transfer transfer) {
    auto* const peer = static_cast<Peer*>(transfer.data);
    sanitizer::arrive(&peer->fiber_, &peer->caller_);
    peer->other_ = transfer.context;
    peer->value_ = peer->entry_(*peer);
    peer->inside_ = false;
    sanitizer::leave(&peer->fiber_, &peer->caller_, true);
    return {peer->other_, peer};
  }

  struct Aligned {
    alignas(64) std::byte bytes[64];
  };

  std::intptr_t (*entry_)(Peer&);
  std::unique_ptr<Aligned[]> storage_ = std::make_unique<Aligned[]>(stack_bytes / sizeof(Aligned));
  fiber::Fiber fiber_;
  fiber::Fiber caller_;
  void* other_ = nullptr;
  std::intptr_t value_ = 0;
  bool inside_ = false;
};

TEST(Context, CarriesValuesBackAndForth) {
  Peer peer([](Peer& self) {
    std::intptr_t sum = self.value();
    for (int i = 0; i < 2; ++i) sum += self.exchange(sum);
    return sum;
  });
  EXPECT_EQ(peer.exchange(1), 1);
  EXPECT_EQ(peer.exchange(10), 11);
  EXPECT_EQ(peer.exchange(100), 111);
}

TEST(Context, BeginsAnewAfterItsEntryReturned) {
  Peer peer([](Peer& self) {
    volatile char frame[1024];
    frame[0] = 1;
    const std::intptr_t first = self.value();
    return frame[0] * std::intptr_t{100} * first + self.exchange(-first);
  });
  for (std::intptr_t round = 1; round < 1000; ++round) {
    EXPECT_EQ(peer.exchange(round), -round);
    EXPECT_EQ(peer.exchange(7), 100 * round + 7);
  }
}

TEST(Context, StartsWithAnAlignedStack) {
  Peer peer([](Peer&) -> std::intptr_t {
    alignas(16) volatile char aligned = 0;
    char text[64];
    // Formatting a double uses aligned vector stores in the C library.
    const int length = std::snprintf(text, sizeof text, "%.3f %p", 2.5,
                                     static_cast<void*>(const_cast<char*>(&aligned)));
    return length > 0 ? reinterpret_cast<std::intptr_t>(&aligned) % 16 : -1;
  });
  EXPECT_EQ(peer.exchange(0), 0);
}

// More live values than there are registers that a call preserves.
template <typename Number>
Number mix_across_switches(Peer& peer, Number seed) {
  Number a = seed + 1, b = seed + 2, c = seed + 3, d = seed + 4, e = seed + 5, f = seed + 6,
         g = seed + 7, h = seed + 8;
  for (int round = 0; round < 50; ++round) {
    peer.exchange(round);
    a += b;
    b += c;
    c += d;
    d += e;
    e += f;
    f += g;
    g += h;
    h += a / 2;
  }
  return a + b + c + d + e + f + g + h;
}

template <typename Number>
Number mix_without_switches(Number seed) {
  Number a = seed + 1, b = seed + 2, c = seed + 3, d = seed + 4, e = seed + 5, f = seed + 6,
         g = seed + 7, h = seed + 8;
  for (int round = 0; round < 50; ++round) {
    a += b;
    b += c;
    c += d;
    d += e;
    e += f;
    f += g;
    g += h;
    h += a / 2;
  }
  return a + b + c + d + e + f + g + h;
}

TEST(Context, KeepsTheRegistersOfBothSides) {
  Peer peer([](Peer& self) -> std::intptr_t {
    for (;;) mix_across_switches<std::uint64_t>(self, 1000);
  });
  EXPECT_EQ(mix_across_switches<std::uint64_t>(peer, 7), mix_without_switches<std::uint64_t>(7));
  Peer floating([](Peer& self) -> std::intptr_t {
    for (;;) mix_across_switches<double>(self, 0.25);
  });
  EXPECT_EQ(mix_across_switches<double>(floating, 0.5), mix_without_switches<double>(0.5));
}

TEST(Context, KeepsTheRoundingModeOfBothSides) {
  Peer peer([](Peer& self) {
    const int at_start = std::fegetround();
    std::fesetround(FE_UPWARD);
    self.exchange(at_start);
    return static_cast<std::intptr_t>(std::fegetround());
  });
  ASSERT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(peer.exchange(0), FE_TONEAREST);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(peer.exchange(0), FE_UPWARD);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(peer.exchange(0), FE_TONEAREST) << "an entry called anew inherits the modes";
}

// Also when the modes differ, so that the control word has to be loaded.
TEST(Context, LeavesFloatingPointFlagsWithTheThread) {
  // Valgrind's processor raises no floating-point flags ("Valgrind User Manual", limitations).
  std::feraiseexcept(FE_DIVBYZERO);
  if (std::fetestexcept(FE_DIVBYZERO) == 0) GTEST_SKIP() << "no floating-point flags here";
  Peer peer([](Peer& self) {
    std::fesetround(FE_UPWARD);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_DIVBYZERO);
    self.exchange(0);
    return static_cast<std::intptr_t>(std::fetestexcept(FE_INVALID | FE_DIVBYZERO));
  });
  std::feclearexcept(FE_ALL_EXCEPT);
  peer.exchange(0);
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO), FE_DIVBYZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_INVALID);
  EXPECT_EQ(peer.exchange(0), FE_INVALID);
  std::feclearexcept(FE_ALL_EXCEPT);
}

}  // namespace
}  // namespace tasuki::base
