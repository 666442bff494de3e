! What a routine in Fortran learns of its arguments: tasuki/routines.h for Fortran.
!
! Compile it with the routine, as compilers do not read each other's modules. Indices of dimensions
! and elements are C's: they begin at 0, and the last dimension of the interface varies fastest.
module tasuki_routines
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: tasuki_array_layout, tasuki_layout, tasuki_global_index, tasuki_communicator
  public :: tasuki_fail

  ! How an array lies on the ranks, as this rank sees it; each list has an entry a dimension.
  type :: tasuki_array_layout
    integer(c_int64_t), pointer :: extents(:) => null()        ! Of the whole array.
    integer(c_int64_t), pointer :: local_extents(:) => null()  ! Of this rank's block.
    integer(c_int64_t), pointer :: block_extents(:) => null()  ! Consecutive indices on one rank.
    integer(c_int), pointer :: grid(:) => null()               ! Ranks along each dimension.
    integer(c_int), pointer :: coordinates(:) => null()        ! This rank's place in the grid.
    integer(c_int64_t) :: leading_dimension = 0
    integer(c_int) :: descriptor(9) = 0                        ! ScaLAPACK's, or zeros.
  end type

  type, bind(c) :: layout_in_c
    integer(c_int) :: dimensions
    type(c_ptr) :: extents, local_extents, block_extents, grid, coordinates
    integer(c_int64_t) :: leading_dimension
    integer(c_int) :: descriptor(9)
  end type

  interface
    function layout_of(argument) bind(c, name="tasuki_layout")
      import :: c_ptr
      type(c_ptr), value :: argument
      type(c_ptr) :: layout_of
    end function
    function global_index_of(argument, dimension, local_index) &
        bind(c, name="tasuki_global_index")
      import :: c_ptr, c_int, c_int64_t
      type(c_ptr), value :: argument
      integer(c_int), value :: dimension
      integer(c_int64_t), value :: local_index
      integer(c_int64_t) :: global_index_of
    end function
    function communicator_of() bind(c, name="tasuki_communicator")
      import :: c_int
      integer(c_int) :: communicator_of
    end function
    subroutine fail_with(happened) bind(c, name="tasuki_fail")
      import :: c_char
      character(kind=c_char), intent(in) :: happened(*)
    end subroutine
  end interface

contains

  ! The layout of an argument of the call under way, until that ends. Its lists are not associated
  ! if `argument` is no array of the call.
  function tasuki_layout(argument) result(layout)
    type(*), target, intent(in) :: argument(*)
    type(tasuki_array_layout) :: layout
    type(layout_in_c), pointer :: found
    integer :: n
    call c_f_pointer(layout_of(c_loc(argument)), found)
    if (.not. associated(found)) return
    n = found%dimensions
    call c_f_pointer(found%extents, layout%extents, [n])
    call c_f_pointer(found%local_extents, layout%local_extents, [n])
    call c_f_pointer(found%block_extents, layout%block_extents, [n])
    call c_f_pointer(found%grid, layout%grid, [n])
    call c_f_pointer(found%coordinates, layout%coordinates, [n])
    layout%leading_dimension = found%leading_dimension
    layout%descriptor = found%descriptor
  end function

  ! The index in the whole array of a local index along a dimension; -1 if there is none.
  function tasuki_global_index(argument, dimension, local_index) result(global)
    type(*), target, intent(in) :: argument(*)
    integer, intent(in) :: dimension
    integer(c_int64_t), intent(in) :: local_index
    integer(c_int64_t) :: global
    global = global_index_of(c_loc(argument), int(dimension, c_int), local_index)
  end function

  ! The communicator of the ranks that serve the module; -1 if they do not use MPI.
  function tasuki_communicator() result(communicator)
    integer :: communicator
    communicator = int(communicator_of())
  end function

  ! Lets the call under way fail; the client is told what happened.
  subroutine tasuki_fail(happened)
    character(*), intent(in) :: happened
    call fail_with(trim(happened) // c_null_char)
  end subroutine

end module
