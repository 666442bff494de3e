// In a file of its own: a program that defines `barrier` itself does not pull this one in.
#include <mpcxx.h>

Barrier barrier;
