// examples/minimum.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki/routines.h>

// Goes downhill by steps that become shorter. `f` runs in the client.
void search(char* method, int steps, void (*f)(double*, double*), double* x, char** message,
            char* path) {
  if (strcmp(method, "halving") != 0) {
    tasuki_fail("the only method is halving");
    return;
  }
  FILE* file = fopen(path, "w");
  double best = 0, step = 1;
  void* const arguments[] = {x, &best};
  tasuki_call_back("f", arguments);  // What f(x, &best) does, too.
  for (int i = 0; i < steps; ++i) {
    double next = *x + step, value = 0;
    f(&next, &value);
    if (value < best) {
      *x = next;
      best = value;
      fprintf(file, "%g\n", next);
    } else {
      step /= -2;
    }
  }
  fclose(file);
  *message = malloc(64);  // Freed after the call.
  snprintf(*message, 64, "%d steps by %s", steps, method);
}
