// The first listing of the paper as printed, completed by foo's body and a check of its result.
// clang-format off
#include <cstdio>
#include <mpcxx.h>
int foo(int, int);
int mpc_main(int argc, char** argv) { int i; invoke(i, 1, foo, 1, 2);
                                        std::printf("%d\n", i); return 0; }
// clang-format on

int foo(int a, int b) { return 100 * myNode + 10 * a + b; }
