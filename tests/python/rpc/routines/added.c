int from_the_linker(void) { return 2; }
