# Entry NUMBER: one jump through the table. Its stub is where the table leads at first; like the
# stubs of the dynamic linker it saves the registers of arguments, asks, and jumps.
.macro tasuki_entry number, name
  .text
  .p2align 4
  .globl \name
  .type \name, @function
\name:
  jmp *(tasuki_mpi_entries + 8 * \number)(%rip)
  .size \name, . - \name
tasuki_mpi_stub_\number:
  pushq $\number
  jmp tasuki_mpi_ask
.endm

.text
tasuki_mpi_ask:
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  subq $8, %rsp
  movq 64(%rsp), %rdi
  call tasuki_mpi_resolve
  movq %rax, %r11
  addq $8, %rsp
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  addq $8, %rsp
  jmp *%r11
