// In a file of its own: a program that defines `timer` itself does not pull this one in.
#include <mpcxx.h>

Timer timer;
