! The same as tell_layout in layout_facts.py.
subroutine tell_layout_in_fortran(places, facts)
  use, intrinsic :: iso_c_binding
  use tasuki_routines
  implicit none
  integer(c_int64_t), intent(inout) :: places(*), facts(*)
  type(tasuki_array_layout) :: layout
  integer(c_int64_t) :: extents(3), local_extents(3), global(3), i, j, k, position
  integer :: dimensions, dimension, next

  layout = tasuki_layout(places)
  dimensions = size(layout%extents)
  facts(1) = dimensions
  facts(2) = layout%leading_dimension
  extents = 1
  local_extents = 1
  next = 3
  do dimension = 1, dimensions
    extents(dimension) = layout%extents(dimension)
    local_extents(dimension) = layout%local_extents(dimension)
    facts(next) = layout%extents(dimension)
    facts(next + 1) = layout%local_extents(dimension)
    facts(next + 2) = layout%block_extents(dimension)
    facts(next + 3) = layout%grid(dimension)
    facts(next + 4) = layout%coordinates(dimension)
    next = next + 5
  end do
  facts(next:next + 8) = layout%descriptor

  position = 0
  do i = 0, local_extents(1) - 1
    do j = 0, local_extents(2) - 1
      do k = 0, local_extents(3) - 1
        global = 0
        global(1) = tasuki_global_index(places, 0, i)
        if (dimensions > 1) global(2) = tasuki_global_index(places, 1, j)
        if (dimensions > 2) global(3) = tasuki_global_index(places, 2, k)
        position = position + 1
        places(position) = (global(1) * extents(2) + global(2)) * extents(3) + global(3)
      end do
    end do
  end do
end subroutine

subroutine tell_of_another_in_fortran(is_known)
  use, intrinsic :: iso_c_binding
  use tasuki_routines
  implicit none
  integer, intent(out) :: is_known
  double precision :: another(2)
  type(tasuki_array_layout) :: layout
  another = 0
  layout = tasuki_layout(another)
  is_known = 0
  if (associated(layout%extents) .or. any(layout%descriptor /= 0)) is_known = 1
  if (tasuki_global_index(another, 0, 0_c_int64_t) /= -1) is_known = 1
end subroutine
