// What becomes of operations of containers that fail where nobody can be told:
// tests/containers/CMakeLists.txt says how these jobs end.
#include <stdexcept>
#include <tasuki/containers/hash_map.hpp>
#include <tasuki/tasuki.hpp>

namespace faults {

using namespace tasuki;
using Map = HashMap<int, int>;

Map* of_rank_0 = nullptr;

void throw_in_vain(int /*key*/, int& /*value*/) { throw std::runtime_error("nobody hears this"); }

/// Rank 0 visits an element while its rank iterates.
int deferred_operation_throws() {
  Map map;
  int key = 0;
  while (map.owner(key) != size() - 1) ++key;
  if (rank() == 0) of_rank_0 = &map;
  map.async_insert(key, 0);
  map.for_all([](int its_key, int& /*value*/) {
    const auto visit = [](int visited) { of_rank_0->async_visit(visited, throw_in_vain); };
    invoke(0, visit, its_key);
  });
  map.size();
  return 0;
}

}  // namespace faults

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] { return faults::deferred_operation_throws(); });
}
