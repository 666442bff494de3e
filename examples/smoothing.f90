! examples/smoothing.f90
subroutine smooth(n, x, y)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x(n)
  double precision, intent(out) :: y(n)
  integer :: i, first, last
  do i = 1, n
    first = max(i - 1, 1)
    last = min(i + 1, n)
    y(i) = sum(x(first:last)) / (last - first + 1)
  end do
end subroutine
