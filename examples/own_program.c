// examples/own_program.c
#include <tasuki/routines.h>

static void double_it(void* const* arguments) {
  const double* x = arguments[0];
  double* y = arguments[1];
  *y = *x + *x;
}

int main(void) {
  const tasuki_routine routines[] = {{"double_it", double_it}};
  return tasuki_serve_calls(0, 1, routines, 1);
}
