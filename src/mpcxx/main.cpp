// The main of MPC++ programs.
#include <mpcxx.h>
#include <unistd.h>

#include <cstdio>

int myNode = 0;
int numNode = 1;
int myPE = 0;
int numPE = 1;

namespace {

void note_place() {
  myNode = myPE = tasuki::rank();
  numNode = numPE = tasuki::size();
}

/// Leaves as if the program were over: nobody is told that this node failed.
void leave(int exit_code) {
  std::fflush(nullptr);
  tasuki::runtime::Rank::current().transport.stop();
  ::_exit(exit_code);
}

}  // namespace

void mpc_exit(int exit_code) {
  for (int node = 0; node < tasuki::size(); ++node) {
    if (node != tasuki::rank()) tasuki::post(node, &leave, exit_code);
  }
  tasuki::flush();
  leave(exit_code);
  __builtin_unreachable();
}

int main(int argc, char** argv) {
  return tasuki::run_master(
      argc, argv, [&] { return mpc_main(argc, argv); }, &note_place);
}
