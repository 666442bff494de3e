! examples/diagonal.f90
! Each rank has some rows of a[n][n], which are columns for Fortran, and gives their elements of d.
subroutine diagonal(a, d)
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use tasuki_routines
  implicit none
  double precision, intent(in) :: a(*)
  double precision, intent(out) :: d(*)
  type(tasuki_array_layout) :: layout
  integer(c_int64_t) :: column, row
  layout = tasuki_layout(a)
  if (layout%extents(1) == 0) call tasuki_fail('the matrix is empty')
  do column = 0, layout%local_extents(1) - 1
    row = tasuki_global_index(a, 0, column)
    d(column + 1) = a(column * layout%leading_dimension + row + 1)
  end do
end subroutine
