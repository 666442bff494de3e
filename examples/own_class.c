// examples/own_class.c
#include <tasuki/routines.h>

static int64_t asked_count;  // Each object has its own.

static void number(void* const* arguments) {
  *(int64_t*)arguments[0] = tasuki_object();
  *(int64_t*)arguments[1] = ++asked_count;
}

int main(void) {
  const tasuki_routine methods[] = {{"Ticket.number", number}};
  const tasuki_state_variable variables[] = {{&asked_count, sizeof asked_count}};
  const tasuki_class classes[] = {{"Ticket", variables, 1}};
  return tasuki_serve_classes(0, 1, methods, 1, classes, 1);
}
