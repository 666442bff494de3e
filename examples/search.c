// examples/search.c
#include <stdio.h>
#include <stdlib.h>
#include <tasuki/client.h>

// Runs here, for the routine on the server.
static void parabola(double* x, double* value) { *value = (*x - 3) * (*x - 3); }

// The same for tasuki_client_call, which also tells why a function fails.
static const char* shifted(void* context, void* const* arguments) {
  const double* x = arguments[0];
  double* value = arguments[1];
  const double* place = context;
  *value = (*x - *place) * (*x - *place);
  return *x > 100 ? "x is beyond 100" : NULL;
}

// Calls examples/minimum.idl on the server that is named: texts, a file and a function.
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_open(argc > 1 ? argv[1] : NULL);
  char *path = argc > 2 ? argv[2] : "path.txt", *message = NULL;
  int steps = 40;
  double x = 0;
  tasuki_argument arguments[] = {
      {"halving", "text"}, {&steps, "int32"}, {(void*)parabola},
      {&x, "float64"},     {&message},        {path}};
  if (client == NULL || tasuki_client_call_routine(client, "search", arguments, 6) == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("minimum at %.3f, %s\n", x, message);
  free(message);

  double place = 5;
  const tasuki_callback callback = {"f", shifted, &place};
  char scalars[300];
  snprintf(scalars, sizeof scalars, "{\"method\": \"halving\", \"steps\": 40, \"path\": \"%s\"}",
           path);
  const int64_t stride_bytes = sizeof x;
  const tasuki_array array = {&x, sizeof x, 0, &stride_bytes, 1, NULL};
  tasuki_client_set_callbacks(client, &callback, 1);
  if (tasuki_client_call(client, "minimum", "search", scalars, &array, 1) == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("minimum at %.3f\n", x);
  tasuki_client_close(client);
  return 0;
}
