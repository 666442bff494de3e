// Starting and ending a program: `tasuki::run` (every rank runs the same function) and
// `run_master` (MPC++ style: rank 0 runs it, the others serve calls).
//
// Called once, from main. Ranks are started by `tasuki run`, mpirun or srun; a program started by
// itself is one rank.
//
// Thread-safety: the calling thread becomes the rank's thread.
#pragma once

#include <type_traits>
#include <utility>

namespace tasuki {
namespace runtime {

/// `main(argument)` gives the exit code. With `master_only` ranks other than 0 only serve;
/// `prepare`, if any, runs on every rank before anything else.
int run_ranks(int (*main)(void*), void* argument, bool master_only, void (*prepare)());

template <class Main>
int call_main(void* argument) {
  auto& main = *static_cast<Main*>(argument);
  if constexpr (std::is_void_v<std::invoke_result_t<Main&>>) {
    main();
    return 0;
  } else {
    return static_cast<int>(main());
  }
}

}  // namespace runtime

/// Runs `main` on every rank and returns its result (0 if it has none) when all ranks are done and
/// no call is under way. An exception from `main` is reported and ends the job.
/// Example: examples/first.cpp
template <class Main>
int run(int /*argc*/, char** /*argv*/, Main main) {
  return runtime::run_ranks(&runtime::call_main<Main>, static_cast<void*>(&main), false, nullptr);
}
/// Runs `main` on rank 0 only; the other ranks serve calls until it is done. `prepare`, if any,
/// runs first on every rank. Example: examples/sync.cpp
template <class Main>
int run_master(int /*argc*/, char** /*argv*/, Main main, void (*prepare)() = nullptr) {
  return runtime::run_ranks(&runtime::call_main<Main>, static_cast<void*>(&main), true, prepare);
}

/// This process's rank and the number of ranks.
///     const int next = (tasuki::rank() + 1) % tasuki::size();
int rank();
int size();

}  // namespace tasuki
