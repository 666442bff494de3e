// Programs whose last call begins something for a third rank when all others wait for the end of
// the job: `runtime_after_main writes` or `runtime_after_main everything`. They end, with exit code
// 0.
//
// Thread-safety: each rank's own thread.
#include <sched.h>
#include <unistd.h>

#include <string_view>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace {

using namespace tasuki;

/// Lets ranks take turns, so that one may leave before another gets to send what it has to.
void share_one_core() {
  cpu_set_t mine;
  if (::sched_getaffinity(0, sizeof mine, &mine) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mine)) continue;
    CPU_ZERO(&mine);
    CPU_SET(core, &mine);
    ::sched_setaffinity(0, sizeof mine, &mine);
    return;
  }
}

char inbox[4 << 20];  ///< Private memory, so that what is written there may travel in messages.

void write_all(GlobalPtr<char> to, std::size_t bytes, std::size_t piece_bytes) {
  const std::vector<char> piece(piece_bytes, 7);
  for (std::size_t at = 0; at + piece_bytes < bytes; at += piece_bytes) {
    (to + static_cast<std::ptrdiff_t>(at)).nwrite(piece.data(), piece_bytes);
  }
}

/// Lets the others wait for the end of the job.
void come_last() {
  for (int turn = 0; turn < 3000; ++turn) yield();
  ::usleep(300'000);
}

void write_after_main() {
  share_one_core();
  const auto all = allgather(global_ptr(&inbox[0]));
  barrier();
  if (rank() != 0) return;
  come_last();
  post(1, write_all, all[2], std::size_t{7} << 19, std::size_t{4000});
}

/// Nobody waits for what these bring.
void start_everything(GlobalPtr<char> to) {
  for (std::size_t bytes : {8, 4'000, 50'000}) {
    static_cast<void>(to.nread_async(&inbox[0], bytes));
    static_cast<void>((to + 100'000).nwrite_async(&inbox[200'000], bytes));
    static_cast<void>(ainvoke(to.rank(), [] { return std::vector<char>(30'000); }));
  }
}

void start_everything_after_main() {
  share_one_core();
  const auto all = allgather(global_ptr(&inbox[0]));
  barrier();
  static_cast<void>(barrier_async());
  if (rank() != 0) return;
  come_last();
  post(1, start_everything, all[static_cast<std::size_t>(size() - 1)]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  return run(argc, argv, [name] {
    if (name == "writes") return write_after_main();
    start_everything_after_main();
  });
}
