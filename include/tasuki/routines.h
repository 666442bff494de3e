// A program whose routines are called remotely, in C: what a routine learns of its arguments, and
// what the program's main function calls. `tasuki idl build` writes such a main function.
//
// Programs link tasuki_routines, which needs neither MPI nor Tasuki's runtime. Thread-safety: the
// thread that serves calls runs the routines; within a routine any thread may ask for layouts.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): it is C.

/// A routine. `arguments` has for each parameter of the interface, in order, a pointer to the
/// scalar or to this rank's block.
typedef struct {
  const char* name;
  void (*run)(void* const* arguments);
} tasuki_routine;

/// A variable that belongs to the state of a class, of which each object has its own contents.
typedef struct {
  void* memory;
  size_t bytes;
} tasuki_state_variable;

/// A class, whose methods are routines of the program with names such as "Class.method". Those
/// named _initialize and _finalize, without arguments, run when an object is made and when it ends.
typedef struct {
  const char* name;
  const tasuki_state_variable* variables;
  size_t variables_count;
} tasuki_class;

/// How an array lies on the ranks, as this rank sees it. Each list has `dimensions` entries. Of an
/// array that is not distributed, the grid is 1 in each dimension.
typedef struct {
  int dimensions;
  const int64_t* extents;        ///< Of the whole array, in elements.
  const int64_t* local_extents;  ///< Of this rank's block.
  const int64_t* block_extents;  ///< Consecutive indices that go to one rank.
  const int* grid;               ///< Ranks along each dimension.
  const int* coordinates;        ///< This rank's place in the grid.
  int64_t leading_dimension;     ///< From a row of the block to the next, in elements.
  /// ScaLAPACK's descriptor of a distributed array a[columns][rows], which is Fortran's
  /// A(rows, columns). Its second entry is the BLACS context of a grid with 'Column' order that has
  /// grid[1] x grid[0] processes, if the interface says Backend "BLACS", else 0. All zeros for
  /// other arrays.
  int descriptor[9];
} tasuki_array_layout;

/// Serves calls until the server ends. Collective: all ranks call it with the same routines.
/// Returns: the exit code of the process; errors have been printed.
/// Example: examples/own_program.c
int tasuki_serve_calls(int rank, int ranks, const tasuki_routine* routines, size_t routines_count);

/// The same for a program that has classes as well. Example: examples/own_class.c
int tasuki_serve_classes(int rank, int ranks, const tasuki_routine* routines, size_t routines_count,
                         const tasuki_class* classes, size_t classes_count);

/// For the library: called by programs that `tasuki idl build` makes. The server refuses one if it
/// serves routines of another `signature`, that is with other arguments.
int tasuki_serve_interface(int rank, int ranks, const char* signature,
                           const tasuki_routine* routines, size_t routines_count,
                           const tasuki_class* classes, size_t classes_count);

/// Returns: the number of the object whose method runs, which is the same on all ranks and that of
/// no other object until these end; 0 if no method runs. Example: examples/own_class.c
int64_t tasuki_object(void);

/// Returns: Fortran's handle of the communicator of the ranks that serve the module, in their
/// order; MPI_Comm_f2c makes an MPI_Comm of it. It is a number, as each MPI has a type of its own.
/// -1: the ranks do not use MPI. Example: examples/row_sums.c
int tasuki_communicator(void);
/// For the library: sets that handle. Programs that `tasuki idl build` makes call this before they
/// serve calls, and so may one with a main function of its own.
void tasuki_set_communicator(int communicator);

/// Returns: the layout of an argument of the call under way, until that ends; NULL if `argument` is
/// no array of it. Example: examples/row_sums.c
const tasuki_array_layout* tasuki_layout(const void* argument);
/// Returns: the index in the whole array of a local index along a dimension; -1 if there is none.
/// Example: examples/row_sums.c
int64_t tasuki_global_index(const void* argument, int dimension, int64_t local_index);

/// For the library: what programs that `tasuki idl build` makes pass for an array of `long` of
/// which 32 bits travel. Returns: a copy of the array with C's 64 bits, until the call ends; NULL
/// if there is no memory for it, when the call has failed.
void* tasuki_widen(const void* argument);
/// For the library: the same after the routine. Copies the elements back; the call fails if one
/// does not fit.
void tasuki_narrow(const void* argument);

/// Calls a function of the client, which is the argument `callback` of the call under way, with a
/// pointer to each of its arrays, and returns when its results are there. Only rank 0 may, on the
/// thread that the routine runs on. If it fails the call fails, results stay as they are, and
/// nothing is called any more: the routine should return soon. `tasuki idl build` makes functions
/// of it, with the signatures of the interface. Example: examples/minimum.c
void tasuki_call_back(const char* callback, void* const* arguments);

/// Lets the call under way fail; the client is told what happened. The routine should return soon.
/// Example: examples/row_sums.c
void tasuki_fail(const char* happened);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif
