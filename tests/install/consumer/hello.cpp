#include <cstdio>
#include <tasuki/tasuki.hpp>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    if (tasuki::rank() != 0) return;
    const int peer = tasuki::size() - 1;
    const int answer = tasuki::invoke(
        peer, [](int asked) { return asked + tasuki::rank(); }, 41);
    std::printf("rank %d of %d answers %d\n", peer, tasuki::size(), answer);
  });
}
