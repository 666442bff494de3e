/* Which thread state PyGILState_Ensure takes on this thread, for interpreters that do not see to it
 * themselves. Called by thread_state.cpp only; needs the interpreter's own headers, which are C.
 *
 * Thread-safety: by the thread that runs `state`. */
#pragma once

struct _ts; /* PyThreadState of Python.h, which only the extension module's targets find. */

#ifdef __cplusplus
extern "C" {
#endif

/* What the calling thread runs is `state`. Nothing to do from Python 3.12 on. */
void tasuki_bind_gil_state(struct _ts* state);

#ifdef __cplusplus
}
#endif
