#include "fiber/debug_table.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <string>
#include <tasuki/error.hpp>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

/// Reads as a debugger does: by numbers alone.
class DebugTableTest : public testing::Test {
 protected:
  static std::uintptr_t word(std::uintptr_t address) {
    std::uintptr_t found = 0;
    std::memcpy(&found, reinterpret_cast<const void*>(address), sizeof found);
    return found;
  }
  std::uintptr_t word(std::uintptr_t base, const char* field) { return word(base + at(field)); }
  static std::string text(std::uintptr_t address) { return reinterpret_cast<const char*>(address); }

  std::uintptr_t at(const char* name) {
    if (numbers_.empty()) {
      for (const DebugField* field = tasuki_debug_fields; field->name != nullptr; ++field) {
        numbers_[field->name] = field->number;
      }
    }
    return numbers_.at(name);
  }
  bool has(const char* name) { return at("context.bytes") != 0 && numbers_.contains(name); }

 private:
  std::map<std::string, std::uintptr_t> numbers_;
};

TEST_F(DebugTableTest, LeadsToAFiberThatWaitsAndToItsFrames) {
  base::set_rank_for_messages(5);
  Harness harness;
  harness.run([&] {
    Fiber* const waiter = harness.spawn([&] { harness.suspend(WaitKind::transfer, 3); }, "waiter");
    harness.scheduler.yield();

    const std::uintptr_t entry = word(at("list.first"));
    EXPECT_EQ(word(entry, "list.next"), 0u);
    EXPECT_EQ(word(entry, "list.rank"), 5u);
    EXPECT_EQ(word(entry, "list.thread"), static_cast<std::uintptr_t>(::gettid()));
    const std::uintptr_t scheduler = word(entry, "list.scheduler");
    EXPECT_EQ(scheduler, reinterpret_cast<std::uintptr_t>(&harness.scheduler));
    const std::uintptr_t main = word(scheduler, "scheduler.running");
    EXPECT_EQ(text(word(main + at("fiber.activity"), "activity.label")), "main");

    const std::uintptr_t head = scheduler + at("scheduler.waiting");
    const std::uintptr_t link = word(head, "link.next");
    EXPECT_EQ(word(link, "link.next"), head);
    const std::uintptr_t fiber = link - at("link.fiber");
    EXPECT_EQ(fiber, reinterpret_cast<std::uintptr_t>(waiter));
    EXPECT_EQ(text(word(fiber + at("fiber.activity"), "activity.label")), "waiter");
    const std::uintptr_t kind = word(fiber + at("fiber.reason"), "reason.kind") & 0xff;
    EXPECT_EQ(text(word(at("kinds.text") + kind * sizeof kind)), "a transfer of memory");

    const std::uintptr_t context = word(fiber, "fiber.context");
    const std::uintptr_t bottom = word(fiber, "fiber.stack_bottom");
    EXPECT_LT(context + at("context.bytes") - bottom, word(fiber, "fiber.stack_bytes"));
    const char* const program_counter = has("pc") ? "pc" : "rip";
    Dl_info code{};
    const auto* const goes_on_at = reinterpret_cast<const void*>(word(context, program_counter));
    EXPECT_NE(::dladdr(goes_on_at, &code), 0) << "in no module";
    harness.scheduler.make_ready(waiter);
    harness.drain();
  });
}

}  // namespace
}  // namespace tasuki::fiber
