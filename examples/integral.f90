! examples/integral.f90
subroutine integral(rule, f, a, b, n, total)
  implicit none
  character(len=*), intent(in) :: rule
  external :: f
  double precision, intent(in) :: a, b
  integer, intent(in) :: n
  double precision, intent(out) :: total
  double precision :: width, first, y
  integer :: i
  width = (b - a) / n
  first = a
  if (rule == 'midpoint') first = a + width / 2
  total = 0
  do i = 0, n - 1
    call f(first + i * width, y)  ! Runs in the client.
    total = total + y * width
  end do
end subroutine
