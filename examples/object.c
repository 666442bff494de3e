// examples/object.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki/client.h>

static int fail(void) {
  fprintf(stderr, "%s\n", tasuki_client_error_text());
  return 1;
}

// Counts with an object on the server whose address is given, or is in TASUKI_SERVER.
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_open(argc > 1 ? argv[1] : NULL);
  if (client == NULL) return fail();
  const char* made = tasuki_client_make(client, "stats/Counter");
  if (made == NULL) return fail();
  char counter[200];  // The client's own text lasts until it makes another object.
  snprintf(counter, sizeof counter, "%s", made);

  int step = 5;
  int64_t now = 0;
  const tasuki_argument arguments[] = {{.memory = &step, .type = "int32"},
                                       {.memory = &now, .type = "int64"}};
  if (tasuki_client_call_method(client, counter, "add", arguments, 2) == NULL) return fail();
  printf("%lld\n", (long long)now);

  const int64_t stride_bytes = sizeof now;
  const tasuki_array array = {&now, sizeof now, 0, &stride_bytes, 1, NULL};
  if (tasuki_client_call_object(client, counter, "add", "{\"step\": 7}", &array, 1) == NULL) {
    return fail();
  }
  printf("%lld\n", (long long)now);

  if (tasuki_client_free_object(client, counter) != 0) return fail();
  if (tasuki_client_call_method(client, counter, "add", arguments, 2) == NULL) {
    puts(strstr(tasuki_client_error(), "lost-object") ? "lost-object" : tasuki_client_error());
  }
  tasuki_client_close(client);
  return 0;
}
