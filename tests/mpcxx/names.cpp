// Every other name of the library: Sync across nodes, member functions, Reduction, own barrier and
// timer, mpc_exit.
#include <mpcxx.h>

#include <cstdio>
#include <cstdlib>

Barrier barrier;  // the program's own, instead of the library's
Timer timer;

struct Counter {
  int value = 0;
  int add(int increment) { return value += increment; }
};

Sync<int> mailbox;
Counter counter;
GlobalPtr<Sync<int>> where_is_mailbox() { return GlobalPtr<Sync<int>>(&mailbox); }
GlobalPtr<Counter> where_is_counter() { return GlobalPtr<Counter>(&counter); }
int twice(int value) { return 2 * value; }
int larger(int a, int b) { return a > b ? a : b; }

int fail(const char* what) {
  std::printf("wrong: %s\n", what);
  return 1;
}

void reduce_everywhere(GlobalPtr<Sync<int>> results) {
  const Reduction<int> largest(larger);
  results.write(largest.exec(10 + myNode));
}

bool pointers_work() {
  int there[2] = {1, 2};
  int here[2] = {3, 4};
  GlobalPtr<int> first;
  first.set(there, myNode);
  first.nwrite(here, 2);
  barrier.exec();
  first.write(first.read() + 1);
  first.nread(here, 2);
  return here[0] == 4 && first.getPe() == myNode && first.getLaddr() == there &&
         first.pointer() == tasuki::global_ptr(there);
}

int mpc_main(int, char**) {
  const int other = numNode - 1;
  GlobalPtr<Sync<int>> remote;
  invoke(remote, other, where_is_mailbox);
  remote.write(5);
  remote.write(6);
  if (remote.read() != 5 || remote.read() != 6) return fail("a remote Sync");

  Sync<int> result;
  ainvoke(result, other, twice, 21);
  int value = 0;
  result.peek(value);
  if (value != 42 || result.queueLength() != 1) return fail("ainvoke into a Sync");
  result.read(value);
  if (result.queueLength() != 0) return fail("queueLength");

  GlobalPtr<Counter> object;
  invoke(object, other, where_is_counter);
  invoke(value, object, &Counter::add, 3);
  invoke(value, object, &Counter::add, 4);
  if (value != 7) return fail("a member function");

  Sync<int> results;
  for (int node = 0; node < numNode; node++) {
    ainvoke(node, reduce_everywhere, GlobalPtr<Sync<int>>(&results));
  }
  for (int node = 0; node < numNode; node++) {
    if (results.read() != 10 + numNode - 1) return fail("a reduction");
  }
  for (int node = 1; node < numNode; node++) ainvoke(node, pointers_work);
  if (!pointers_work()) return fail("a pointer");

  timer.start();
  yield();
  timer.stop();
  if (timer.seconds() <= 0) return fail("the timer");
  timer.reset();
  std::printf("all names work\n");
  mpc_exit(0);
}
