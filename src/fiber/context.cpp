#include "fiber/context.hpp"

#if defined(__x86_64__)

#include <cstdint>

// The System V ABI has a callee keep rbx, rbp, r12-r15 and the control words of SSE and x87
// ("System V Application Binary Interface, AMD64 Architecture Processor Supplement", 3.2.1). They
// are saved in the order of SavedContext. A return, not an indirect jump, takes up the other
// code: so each `call` of this function has its `ret`, and as all fibers come from the same place
// the prediction is right.
asm(R"(
.text
.p2align 4
.globl tasuki_switch_context
.hidden tasuki_switch_context
.type tasuki_switch_context, @function
tasuki_switch_context:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, %rax
  movq %rdi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  movq %rsi, %rdx
  ret
  .cfi_endproc
.size tasuki_switch_context, .-tasuki_switch_context

.p2align 4
.globl tasuki_start_context
.hidden tasuki_start_context
.type tasuki_start_context, @function
tasuki_start_context:
  .cfi_startproc
  .cfi_undefined rip
  movq %rax, %rdi
  movq %rdx, %rsi
  jmp *%rbx
  .cfi_endproc
.size tasuki_start_context, .-tasuki_start_context
)");

extern "C" void tasuki_start_context() noexcept;

namespace tasuki::fiber {
namespace {

struct SavedContext {
  std::uint32_t sse_control;
  std::uint16_t x87_control;
  std::uint16_t unused;
  std::uintptr_t r12, r13, r14, r15, rbx, rbp, return_address;
  std::uintptr_t callers_return_address;  // 0: debuggers end the call chain here.
};

}  // namespace

void* make_context(void* stack_end, [[maybe_unused]] std::size_t stack_bytes,
                   void (*entry)(Transfer)) noexcept {
  auto* const saved = static_cast<SavedContext*>(stack_end) - 1;
  *saved = {};
  saved->sse_control = __builtin_ia32_stmxcsr();
  asm("fnstcw %0" : "=m"(saved->x87_control));
  saved->rbx = reinterpret_cast<std::uintptr_t>(entry);
  saved->return_address = reinterpret_cast<std::uintptr_t>(&tasuki_start_context);
  return saved;
}

}  // namespace tasuki::fiber

#endif
