// A function that throws though its result is to go into a Sync: the job must say so and end.
#include <mpcxx.h>

#include <stdexcept>

int find_nothing(int) { throw std::runtime_error("nothing found"); }

int mpc_main(int, char**) {
  Sync<int> result;
  ainvoke(result, numNode - 1, find_nothing, 1);
  return result.read();
}
