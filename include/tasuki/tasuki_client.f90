! Calling the routines of a Tasuki server from Fortran: tasuki/client.h for Fortran.
!
! Compile it and tasuki_client_fortran.c with the program, as compilers read neither each other's
! modules nor each other's arrays. Element A(i, j) is the interface's A[i-1][j-1], in whatever
! order the elements lie: any array of Fortran may be given, also a part such as A(1:9:2, :), and
! none is copied. Numbers have the interface's type: integer(c_int64_t), real(c_double), ...
! A text, or the name of a file, is of type character; blanks at its end do not count. A text that
! comes back is filled up with blanks, or cut off. A function for a callback is given as
! tasuki_function(c_funloc(f)); f is bind(c) and has arrays as arguments, such as x(*).
!
! An error sets `stat` to other than 0, and tasuki_error_text() says what happened; without `stat`
! the program ends. Thread-safety: one thread at a time for each server, but for tasuki_cancel and
! tasuki_progress.
module tasuki_client
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: tasuki_server, tasuki_kept_array, tasuki_function, tasuki_kept, tasuki_connect, &
            tasuki_close, tasuki_set_mode, tasuki_set_wire_format, tasuki_call, tasuki_put, &
            tasuki_free, tasuki_list_kept, tasuki_discard, tasuki_progress, tasuki_cancel, &
            tasuki_error_text, tasuki_error_kind, tasuki_may_have_run, tasuki_object, &
            tasuki_make, tasuki_call_method, tasuki_free_object, tasuki_rank_report, &
            tasuki_report, tasuki_last_report

  ! A connection to a server.
  type, bind(c) :: tasuki_server
    private
    type(c_ptr) :: client = c_null_ptr
  end type

  ! An array that tasuki_put has left on the ranks: an argument of calls in place of the array.
  type, bind(c) :: tasuki_kept_array
    character(kind=c_char) :: name(64) = c_null_char
  end type

  ! A function of the program: an argument of calls for a callback.
  type, bind(c) :: tasuki_function
    type(c_funptr) :: address = c_null_funptr
  end type

  ! An object that tasuki_make has left on the ranks, whose methods tasuki_call_method calls.
  type, bind(c) :: tasuki_object
    character(kind=c_char) :: name(512) = c_null_char
  end type

  ! Where a rank's time went in a call, in seconds, and how many of its threads computed.
  type, bind(c) :: tasuki_rank_report
    real(c_double) :: receive_s = 0, compute_s = 0, send_s = 0, threads = 0
  end type

  ! What docs/formats/call-report.md tells of most calls.
  type :: tasuki_report
    character(:), allocatable :: server  ! The address of the one where the call ran.
    character(:), allocatable :: mode  ! By which way arrays travelled, as for tasuki_set_mode.
    character(:), allocatable :: wire  ! In which form numbers did.
    integer(c_int64_t) :: sent_bytes = 0, received_bytes = 0
    real(c_double) :: client_s = 0  ! The whole call.
    real(c_double) :: front_end_s = 0  ! 0 where the call went past the front end.
    real(c_double) :: computation_s = 0  ! Of the slowest rank.
    type(tasuki_rank_report), allocatable :: ranks(:)
  end type

  ! The C structure.
  type, bind(c) :: report_in_c
    type(c_ptr) :: server, mode, wire
    integer(c_int64_t) :: sent_bytes, received_bytes
    real(c_double) :: client_s, front_end_s, computation_s
    type(c_ptr) :: ranks
    integer(c_size_t) :: ranks_count
  end type

  ! An array or an object that a program has left on the ranks, as the server tells it.
  type :: tasuki_kept
    character(:), allocatable :: name
    character(:), allocatable :: module
    character(:), allocatable :: what  ! For which argument it is there, "solve.A"; or its class.
    character(:), allocatable :: type  ! Of the elements, such as "float64"; "": it is an object.
    integer(c_int64_t), allocatable :: extents(:)
    integer(c_int64_t) :: bytes = 0  ! On all ranks together.
    character(:), allocatable :: user
    character(:), allocatable :: client  ! The address of its client's host.
    real(c_double) :: age_s = 0
    real(c_double) :: unused_s = 0  ! Since the last call that has used it.
    real(c_double) :: left_s = 0  ! After which it is freed if no call uses it; or infinite.
    logical :: is_being_freed = .false.
  end type

  ! The C structure.
  type, bind(c) :: kept_in_c
    type(c_ptr) :: name, module, what, type, extents
    integer(c_size_t) :: dimensions
    integer(c_int64_t) :: bytes
    type(c_ptr) :: user, client
    real(c_double) :: age_s, unused_s, left_s
    integer(c_int) :: is_being_freed
  end type

  ! These are in tasuki_client_fortran.c, so that compilers describe what is given to them once.
  interface
    ! Calls "module/routine", or "routine" if one module alone has it, and returns when its results
    ! are in their arrays. Arguments are those of the interface, in its order, but for work space.
    ! A result of one number is a variable or an array of one element.
    subroutine tasuki_call(server, routine, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, &
                           a13, a14, a15, a16, a17, a18, a19, a20, stat) &
        bind(c, name="tasuki_client_call_from_fortran")
      import :: tasuki_server, c_char, c_int
      type(tasuki_server), intent(in) :: server
      character(kind=c_char, len=*), intent(in) :: routine
      type(*), dimension(..), optional :: a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, &
                                          a13, a14, a15, a16, a17, a18, a19, a20
      integer(c_int), intent(out), optional :: stat
    end subroutine
    ! Calls a method of an object in the same way.
    subroutine tasuki_call_method(server, object, method, a1, a2, a3, a4, a5, a6, a7, a8, a9, &
                                  a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, stat) &
        bind(c, name="tasuki_client_call_method_from_fortran")
      import :: tasuki_server, tasuki_object, c_char, c_int
      type(tasuki_server), intent(in) :: server
      type(tasuki_object), intent(in) :: object
      character(kind=c_char, len=*), intent(in) :: method
      type(*), dimension(..), optional :: a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, &
                                          a13, a14, a15, a16, a17, a18, a19, a20
      integer(c_int), intent(out), optional :: stat
    end subroutine
    ! Leaves an array on the ranks of a module, as it lies there for a parameter of a routine,
    ! until it is freed or the ranks are started anew. `sizes` is JSON of the sizes that the
    ! parameter's shape needs, such as '{"n": 100}'.
    subroutine tasuki_put(server, kept, module, routine, parameter, sizes, array, stat) &
        bind(c, name="tasuki_client_put_from_fortran")
      import :: tasuki_server, tasuki_kept_array, c_char, c_int
      type(tasuki_server), intent(in) :: server
      type(tasuki_kept_array), intent(out) :: kept
      character(kind=c_char, len=*), intent(in) :: module, routine, parameter, sizes
      type(*), dimension(..) :: array
      integer(c_int), intent(out), optional :: stat
    end subroutine
  end interface

  interface
    function client_open(address) bind(c, name="tasuki_client_open")
      import :: c_ptr
      type(c_ptr), value :: address
      type(c_ptr) :: client_open
    end function
    subroutine client_close(client) bind(c, name="tasuki_client_close")
      import :: c_ptr
      type(c_ptr), value :: client
    end subroutine
    function client_set_mode(client, mode) bind(c, name="tasuki_client_set_mode")
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: mode(*)
      integer(c_int) :: client_set_mode
    end function
    function client_set_wire_format(client, wire) bind(c, name="tasuki_client_set_wire_format")
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: wire(*)
      integer(c_int) :: client_set_wire_format
    end function
    function client_free(client, module, kept) bind(c, name="tasuki_client_free")
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: module(*), kept(*)
      integer(c_int) :: client_free
    end function
    function client_make(client, class_name) bind(c, name="tasuki_client_make")
      import :: c_ptr, c_char
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: class_name(*)
      type(c_ptr) :: client_make
    end function
    function client_free_object(client, object) bind(c, name="tasuki_client_free_object")
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: object(*)
      integer(c_int) :: client_free_object
    end function
    function client_last_report(client) bind(c, name="tasuki_client_last_report")
      import :: c_ptr
      type(c_ptr), value :: client
      type(c_ptr) :: client_last_report
    end function
    function client_list_kept(client, kept) bind(c, name="tasuki_client_list_kept")
      import :: c_ptr, c_int
      type(c_ptr), value :: client
      type(c_ptr), intent(out) :: kept
      integer(c_int) :: client_list_kept
    end function
    function client_discard(client, name) bind(c, name="tasuki_client_discard")
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: client
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: client_discard
    end function
    subroutine client_progress(client, moved_bytes, total_bytes) &
        bind(c, name="tasuki_client_progress")
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: client
      integer(c_int64_t), intent(out) :: moved_bytes, total_bytes
    end subroutine
    subroutine client_cancel(client) bind(c, name="tasuki_client_cancel")
      import :: c_ptr
      type(c_ptr), value :: client
    end subroutine
    function client_error_text() bind(c, name="tasuki_client_error_text")
      import :: c_ptr
      type(c_ptr) :: client_error_text
    end function
    function client_error_kind() bind(c, name="tasuki_client_error_kind")
      import :: c_ptr
      type(c_ptr) :: client_error_kind
    end function
    function client_may_have_run() bind(c, name="tasuki_client_may_have_run")
      import :: c_int
      integer(c_int) :: client_may_have_run
    end function
    function string_length(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: string_length
    end function
  end interface

contains

  ! Connects to the server at tasuki://HOST:PORT, or to the first of several, with commas in
  ! between, that answers; without an address, to that of the setting TASUKI_SERVER.
  subroutine tasuki_connect(server, address, stat)
    type(tasuki_server), intent(out) :: server
    character(*), intent(in), optional :: address
    integer, intent(out), optional :: stat
    character(kind=c_char), target :: text(1024)
    integer :: i
    if (present(address)) then
      text = c_null_char
      do i = 1, min(len_trim(address), size(text) - 1)
        text(i) = address(i:i)
      end do
      server%client = client_open(c_loc(text))
    else
      server%client = client_open(c_null_ptr)
    end if
    call finish(c_associated(server%client), stat)
  end subroutine

  ! Ends the connection; does nothing to a server that is not connected.
  subroutine tasuki_close(server)
    type(tasuki_server), intent(inout) :: server
    call client_close(server%client)
    server%client = c_null_ptr
  end subroutine

  ! By which way calls and arrays reach the ranks, as for tasuki_client_set_mode.
  subroutine tasuki_set_mode(server, mode, stat)
    type(tasuki_server), intent(in) :: server
    character(*), intent(in) :: mode
    integer, intent(out), optional :: stat
    call finish(client_set_mode(server%client, trim(mode) // c_null_char) == 0, stat)
  end subroutine

  ! In which form numbers travel: "native" or "xdr".
  subroutine tasuki_set_wire_format(server, wire, stat)
    type(tasuki_server), intent(in) :: server
    character(*), intent(in) :: wire
    integer, intent(out), optional :: stat
    call finish(client_set_wire_format(server%client, trim(wire) // c_null_char) == 0, stat)
  end subroutine

  ! Frees an array on the ranks of a module; does nothing if it is not there.
  subroutine tasuki_free(server, module, kept, stat)
    type(tasuki_server), intent(in) :: server
    character(*), intent(in) :: module
    type(tasuki_kept_array), intent(in) :: kept
    integer, intent(out), optional :: stat
    call finish(client_free(server%client, trim(module) // c_null_char, kept%name) == 0, stat)
  end subroutine

  ! Makes an object of the class "module/Class", or "Class" if one module alone has it, on the ranks
  ! of the module. It has a state of its own there, until it is freed, the connection ends or the
  ! ranks are started anew.
  subroutine tasuki_make(server, object, class_name, stat)
    type(tasuki_server), intent(in) :: server
    type(tasuki_object), intent(out) :: object
    character(*), intent(in) :: class_name
    integer, intent(out), optional :: stat
    character(:), allocatable :: name
    integer :: i
    name = text_of(client_make(server%client, trim(class_name) // c_null_char))
    do i = 1, min(len(name), size(object%name) - 1)
      object%name(i) = name(i:i)
    end do
    call finish(len(name) > 0, stat)
  end subroutine

  ! Frees an object on the ranks; does nothing if it is not there.
  subroutine tasuki_free_object(server, object, stat)
    type(tasuki_server), intent(in) :: server
    type(tasuki_object), intent(in) :: object
    integer, intent(out), optional :: stat
    call finish(client_free_object(server%client, object%name) == 0, stat)
  end subroutine

  ! Tells of the last call that has ended well; `report` is empty if there is none.
  subroutine tasuki_last_report(server, report)
    type(tasuki_server), intent(in) :: server
    type(tasuki_report), intent(out) :: report
    type(report_in_c), pointer :: found
    type(tasuki_rank_report), pointer :: ranks(:)
    type(c_ptr) :: place
    report%server = ""
    report%mode = ""
    report%wire = ""
    allocate (report%ranks(0))
    place = client_last_report(server%client)
    if (.not. c_associated(place)) return
    call c_f_pointer(place, found)
    report%server = text_of(found%server)
    report%mode = text_of(found%mode)
    report%wire = text_of(found%wire)
    report%sent_bytes = found%sent_bytes
    report%received_bytes = found%received_bytes
    report%client_s = found%client_s
    report%front_end_s = found%front_end_s
    report%computation_s = found%computation_s
    call c_f_pointer(found%ranks, ranks, [found%ranks_count])
    report%ranks = ranks
  end subroutine

  ! What all clients of the same user have left on the ranks of the server, the oldest first.
  subroutine tasuki_list_kept(server, kept, stat)
    type(tasuki_server), intent(in) :: server
    type(tasuki_kept), allocatable, intent(out) :: kept(:)
    integer, intent(out), optional :: stat
    type(kept_in_c), pointer :: found(:)
    integer(c_int64_t), pointer :: extents(:)
    type(c_ptr) :: place
    integer :: i, count
    count = client_list_kept(server%client, place)
    allocate (kept(max(count, 0)))
    if (count > 0) call c_f_pointer(place, found, [count])
    do i = 1, count
      kept(i)%name = text_of(found(i)%name)
      kept(i)%module = text_of(found(i)%module)
      kept(i)%what = text_of(found(i)%what)
      kept(i)%type = text_of(found(i)%type)
      call c_f_pointer(found(i)%extents, extents, [found(i)%dimensions])
      kept(i)%extents = extents
      kept(i)%bytes = found(i)%bytes
      kept(i)%user = text_of(found(i)%user)
      kept(i)%client = text_of(found(i)%client)
      kept(i)%age_s = found(i)%age_s
      kept(i)%unused_s = found(i)%unused_s
      kept(i)%left_s = found(i)%left_s
      kept(i)%is_being_freed = found(i)%is_being_freed /= 0
    end do
    call finish(count >= 0, stat)
  end subroutine

  ! Frees what any client of the user has left there, by its name, after the call under way.
  subroutine tasuki_discard(server, name, is_freed, stat)
    type(tasuki_server), intent(in) :: server
    character(*), intent(in) :: name
    logical, intent(out), optional :: is_freed  ! Or was it not there?
    integer, intent(out), optional :: stat
    integer(c_int) :: freed
    freed = client_discard(server%client, trim(name) // c_null_char)
    if (present(is_freed)) is_freed = freed > 0
    call finish(freed >= 0, stat)
  end subroutine

  ! How many bytes of arrays the call under way has moved, of how many; zeros if there is no call.
  subroutine tasuki_progress(server, moved_bytes, total_bytes)
    type(tasuki_server), intent(in) :: server
    integer(c_int64_t), intent(out) :: moved_bytes, total_bytes
    call client_progress(server%client, moved_bytes, total_bytes)
  end subroutine

  ! Lets the call under way fail; does nothing if there is none. Later calls connect anew, so that
  ! arrays on the ranks are lost.
  subroutine tasuki_cancel(server)
    type(tasuki_server), intent(in) :: server
    call client_cancel(server%client)
  end subroutine

  ! What has happened to this thread's last call that failed, and what to do.
  function tasuki_error_text() result(text)
    character(:), allocatable :: text
    text = text_of(client_error_text())
  end function

  ! What kind of error that was: "lost-array", "quota", "access" and others, else "call".
  function tasuki_error_kind() result(kind)
    character(:), allocatable :: kind
    kind = text_of(client_error_kind())
  end function

  ! Whether that call may have run: it has surely not if no rank has begun it.
  function tasuki_may_have_run() result(may_have_run)
    logical :: may_have_run
    may_have_run = client_may_have_run() /= 0
  end function

  subroutine finish(is_done, stat)
    logical, intent(in) :: is_done
    integer, intent(out), optional :: stat
    if (present(stat)) then
      stat = merge(0, 1, is_done)
    else if (.not. is_done) then
      write (error_unit, "(a)") tasuki_error_text()
      error stop 1
    end if
  end subroutine

  ! An empty text for a null pointer.
  function text_of(text_in_c) result(text)
    type(c_ptr), intent(in) :: text_in_c
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    text = ""
    if (.not. c_associated(text_in_c)) return
    call c_f_pointer(text_in_c, letters, [string_length(text_in_c)])
    do i = 1, size(letters)
      text = text // letters(i)
    end do
  end function

end module
