// examples/token.c
#include <stdio.h>
#include <tasuki/client.h>

// Shows how the interfaces of a server begin to a user whose token is in a file: token URL FILE.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const tasuki_client_options options = {.token_file = argv[2]};
  tasuki_client* client = tasuki_client_open_with(argv[1], &options);
  if (client == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("%.40s ...\n", tasuki_client_interfaces(client));
  tasuki_client_close(client);
  return 0;
}
