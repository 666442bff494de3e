// What a visit runs gets the key and the value.
#include <tasuki/containers/hash_map.hpp>

void visit(tasuki::HashMap<int, int>& map) {
  map.async_visit(7, [](int) {});  // refused
}
