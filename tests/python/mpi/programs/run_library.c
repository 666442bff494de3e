/* Runs a library, which brings its MPI with it, as Python does: only the library sees the MPI. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const loaded = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
  if (loaded == NULL) return fputs(dlerror(), stderr), 1;
  int (*run)(int, char**) = dlsym(loaded, "run");
  return run(argc, argv);
}
