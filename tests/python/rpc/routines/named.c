#include <stdint.h>

// What FortranFormat "f_%l_x" makes of Named.
void f_NAMED_x(const int* n, int* result) { *result = *n + 1; }

void add_longs(long n, unsigned long m, int64_t* result) { *result = n + (int64_t)m; }
