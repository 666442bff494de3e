// The throughput loop of the paper's figure 7: a fragment that every node runs, started on all of
// them by ainvoke.
#include <mpcxx.h>

#include <cstdio>

const int d_size = 64;
const int n_times = 1000;
char area[d_size];
char data[d_size];
GlobalPtr<char> gp;
Sync<int> finished;

GlobalPtr<char> where_is_area() { return GlobalPtr<char>(area); }

void note_finished() { finished.write(1); }

void throughput() {
  invoke(gp, (myPE + 1) % numPE, where_is_area);
  for (int i = 0; i < d_size; i++) data[i] = static_cast<char>(i + myPE);
  barrier.exec();
  if (myPE == 0) {
    timer.start();
    for (int i = 0; i < n_times; i++) gp.nwrite(data, d_size);
    barrier.exec();
    timer.stop();
  } else {
    barrier.exec();
  }
  ainvoke(0, note_finished);
}

bool area_is_right() {
  for (int i = 0; i < d_size; i++) {
    if (area[i] != static_cast<char>(i)) return false;
  }
  return true;
}

int mpc_main(int, char**) {
  for (int node = 0; node < numNode; node++) ainvoke(node, throughput);
  for (int node = 0; node < numNode; node++) finished.read();
  bool right;
  invoke(right, 1 % numNode, area_is_right);
  std::printf("%s %s\n", right ? "right" : "wrong", timer.seconds() > 0 ? "timed" : "untimed");
  return right ? 0 : 1;
}
