// examples/ninf_sessions.c
#include <ninf.h>
#include <stdio.h>

// Begins calls that go on at the same time on the server of TASUKI_SERVER.
int main(void) {
  enum { n = 2, count = 4 };
  double A[n][n] = {{1, 2}, {3, 4}}, B[n][n] = {{0, 1}, {1, 0}}, C[count][n][n];
  int sessions[count];
  for (int i = 0; i < count; ++i) {
    sessions[i] = Ninf_call_async("dmmul", n, A, B, C[i]);
    if (sessions[i] == NINF_ERROR) {
      Ninf_perror("dmmul");
      return 1;
    }
  }
  printf("%d", Ninf_wait(sessions[0]));
  printf(" %d", Ninf_wait_or(sessions, 2) == sessions[1]);
  printf(" %d", Ninf_wait_any() > sessions[1]);
  printf(" %d", Ninf_wait_and(sessions, count));
  printf(" %d", Ninf_wait_all());
  printf(": %g %g %g %g\n", C[0][0][0], C[1][0][1], C[2][1][0], C[3][1][1]);

  sessions[0] = Ninf_call_async("rest", 3600);
  sessions[1] = Ninf_call_async("rest", 3600);
  printf("%d", Ninf_probe(sessions[0]));
  printf(" %d", Ninf_cancel(sessions[0]));
  printf(" %d", Ninf_wait(sessions[0]));
  printf(" %d", Ninf_error());
  printf(" %d", Ninf_cancel_all());
  printf(" %d", Ninf_wait_any() == sessions[1]);
  printf(" %d\n", Ninf_error());
  return 0;
}
