// Calls routines of test_sizes.py with sizes that are none, and prints what is said:
// bad_sizes URL [ROUTINE TYPE N]..., where TYPE is that of the variable which holds N.
#include <ninf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki/client.h>

static const int64_t x_extent[] = {3}, y_extent[] = {1};

int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_open(argv[1]);
  if (client == NULL) return 1;
  for (int i = 2; i + 2 < argc; i += 3) {
    int64_t integer = *argv[i + 2] == '-' ? strtoll(argv[i + 2], NULL, 10)
                                          : (int64_t)strtoull(argv[i + 2], NULL, 10);
    double real = strtod(argv[i + 2], NULL), x[3] = {1, 2, 3}, y[1];
    const int is_real = strcmp(argv[i + 1], "float64") == 0;
    const tasuki_argument arguments[] = {
        {.memory = is_real ? (void*)&real : (void*)&integer, .type = argv[i + 1]},
        {.memory = x, .type = "float64", .extents = x_extent, .dimensions = 1},
        {.memory = y, .type = "float64", .extents = y_extent, .dimensions = 1}};
    if (tasuki_client_call_routine(client, argv[i], arguments, 3) != NULL)
      puts("it was called");
    else
      puts(tasuki_client_error_text());
    // By Ninf's function, whose arguments have no types of their own.
    if (strcmp(argv[i + 1], "int64") != 0) continue;
    if (Ninf_call(argv[i], integer, x, y) != NINF_ERROR)
      puts("it was called");
    else
      Ninf_perror(argv[i]);
  }
  tasuki_client_close(client);
  return 0;
}
