#include <stddef.h>
#include <tasuki/routines.h>

enum { dimensions_most = 3 };

// The same as tell_layout in layout_facts.py.
void tell_layout(int64_t* places, int64_t* facts) {
  const tasuki_array_layout* layout = tasuki_layout(places);
  const int dimensions = layout->dimensions;
  int64_t extents[dimensions_most] = {1, 1, 1}, local_extents[dimensions_most] = {1, 1, 1};
  *facts++ = dimensions;
  *facts++ = layout->leading_dimension;
  for (int i = 0; i < dimensions; ++i) {
    extents[i] = layout->extents[i];
    local_extents[i] = layout->local_extents[i];
    *facts++ = layout->extents[i];
    *facts++ = layout->local_extents[i];
    *facts++ = layout->block_extents[i];
    *facts++ = layout->grid[i];
    *facts++ = layout->coordinates[i];
  }
  for (int i = 0; i < 9; ++i) *facts++ = layout->descriptor[i];

  int64_t at[dimensions_most], global[dimensions_most] = {0, 0, 0}, count = 0;
  for (at[0] = 0; at[0] < local_extents[0]; ++at[0]) {
    for (at[1] = 0; at[1] < local_extents[1]; ++at[1]) {
      for (at[2] = 0; at[2] < local_extents[2]; ++at[2]) {
        for (int i = 0; i < dimensions; ++i) global[i] = tasuki_global_index(places, i, at[i]);
        places[count++] = (global[0] * extents[1] + global[1]) * extents[2] + global[2];
      }
    }
  }
}

void tell_of_another(int* is_known) {
  const double another[2] = {0, 0};
  *is_known = tasuki_layout(another) != NULL || tasuki_global_index(another, 0, 0) != -1;
}
