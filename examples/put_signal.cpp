// examples/put_signal.cpp
#include <tasuki/tasuki.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

struct Inbox {
  std::array<int, 8> data;
  std::uint64_t arrived;
};

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    const auto inbox = tasuki::new_<Inbox>();
    const auto inboxes = tasuki::allgather(inbox);
    const auto next = inboxes[static_cast<std::size_t>((tasuki::rank() + 1) % tasuki::size())];

    std::array<int, 8> numbers{};
    numbers.fill(tasuki::rank());
    // The counter rises after the data are there: whoever sees it sees them.
    next.member(&Inbox::data).nwrite_signal(&numbers, 1, next.member(&Inbox::arrived));
    tasuki::wait_signal(&inbox.raw()->arrived, 1);
    if (tasuki::rank() == 0) {
      std::printf("from the last rank: %d\n", inbox.raw()->data[7] == tasuki::size() - 1);
    }
    tasuki::barrier();
  });
}
