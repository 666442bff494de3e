// Which places get a pre-posted receive, and when they lose it. The order of data and signals:
// puts_test.cpp, signal_order_test.cpp.
#include "runtime/memory/posted_places.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <tasuki/tasuki.hpp>

#include "runtime/memory/puts.hpp"
#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

using runtime::PostedPlaces;
using runtime::PutPlace;
using runtime::Rank;
using Words = std::array<std::uint64_t, 16>;

constexpr int writer = 0;
constexpr int target = 1;

/// Memory of the target, as its writer names it.
struct Memory {
  PutPlace place(std::size_t index, bool has_signal) const {
    PutPlace named{reinterpret_cast<std::uintptr_t>(words.raw() + index), sizeof(Words)};
    if (has_signal) named.signal = {reinterpret_cast<std::uintptr_t>(counter.raw()), 1};
    return named;
  }

  GlobalPtr<Words> words;
  GlobalPtr<std::uint64_t> counter;
};

/// Runs `body` on the writer. Debug builds check each put before it is written, so they post none.
class PostedPlacesTest : public testing::Test {
 protected:
#ifdef TASUKI_DEBUG
  void SetUp() override { GTEST_SKIP() << "debug builds post no receives"; }
#endif

  template <class Body>
  static void run_writer(Body body) {
    const auto run = [body] {
      const Memory own{new_array<Words>(2), new_<std::uint64_t>(0U)};
      const Memory there{allgather(own.words)[target], allgather(own.counter)[target]};
      if (rank() == writer) body(there);
      barrier();
    };
    run_threads(2, run, {.posts_receives = true});
  }
};

PostedPlaces& own_places() { return Rank::current().puts->posted_places(); }

void put(const PutPlace& place, std::uint64_t value) {
  Words words;
  words.fill(value);
  Rank::current().puts->send(target, {place}, std::as_bytes(std::span(words)));
}

/// Puts as often as it takes for the place to be given a receive, if it may have one.
void put_repeatedly(const PutPlace& place) {
  for (std::uint64_t value = 1; value <= 3; ++value) put(place, value);
  invoke(target, [] {});  // behind the request; what the target answers comes before this returns
}

void expect_there(const Memory& memory, std::uint64_t value, std::uint64_t count) {
  fence();
  EXPECT_EQ(memory.words.read()[0], value);
  EXPECT_EQ(memory.counter.read(), count);
}

TEST_F(PostedPlacesTest, APlaceThatIsWrittenAgainAndAgainGetsAReceive) {
  run_writer([](const Memory& memory) {
    const PutPlace place = memory.place(0, false);
    EXPECT_FALSE(own_places().find(target, place));
    EXPECT_FALSE(own_places().find(target, place));
    invoke(target, [] {});
    EXPECT_FALSE(own_places().find(target, place)) << "now it is asked for";
    invoke(target, [] {});
    EXPECT_TRUE(own_places().find(target, place));
    EXPECT_FALSE(own_places().find(target, memory.place(1, false))) << "another place";
    put(place, 7);
    expect_there(memory, 7, 0);
  });
}

TEST_F(PostedPlacesTest, MemoryOutsideTheHeapGetsNone) {
  run_writer([](const Memory&) {
    static Words outside;
    const PutPlace place{reinterpret_cast<std::uintptr_t>(&outside), sizeof outside};
    put_repeatedly(place);
    EXPECT_FALSE(own_places().find(target, place));
    fence();
  });
}

TEST_F(PostedPlacesTest, ACounterThatIsRaisedAnotherWayLeavesItsReceiveForGood) {
  run_writer([](const Memory& memory) {
    const PutPlace place = memory.place(0, true);
    put_repeatedly(place);
    EXPECT_TRUE(own_places().find(target, place));
    put(place, 4);
    expect_there(memory, 4, 4);
    own_places().leave(target, place.signal);
    EXPECT_FALSE(own_places().find(target, place));
    EXPECT_EQ(own_places().use(target, place), PostedPlaces::no_receive);
    const PutPlace another = memory.place(1, true);
    put_repeatedly(another);
    EXPECT_FALSE(own_places().find(target, another)) << "it raises the same counter";
    put(place, 5);
    expect_there(memory, 5, 8);
  });
}

TEST_F(PostedPlacesTest, ACounterIsRaisedByTheReceiveOfOnePlaceOnly) {
  run_writer([](const Memory& memory) {
    const PutPlace first = memory.place(0, true);
    const PutPlace second = memory.place(1, true);
    put_repeatedly(first);
    put_repeatedly(second);
    EXPECT_TRUE(own_places().find(target, second));
    put(first, 4);
    EXPECT_FALSE(own_places().find(target, second)) << "the first place's receive is in use";
    put(second, 5);
    EXPECT_FALSE(own_places().find(target, first)) << "the second put has left it";
    expect_there(memory, 4, 8);
  });
}

TEST_F(PostedPlacesTest, WhereTheTransportHasNoneNoPlaceIsTaken) {
  run_threads(1, [] { EXPECT_FALSE(own_places().takes(1 << 20)); });
}

}  // namespace
}  // namespace tasuki::test
