/* SPDX-License-Identifier: Apache-2.0
 *
 * Stops any compiler but one for RV32, of C or of assembly: for RV64 the sources would compile, and crash.
 */
#if !defined(__riscv_xlen) || __riscv_xlen != 32 || !defined(__riscv_mul) || defined(__riscv_32e) || defined(__riscv_e)
#error "montcore's library for RISC-V is for RV32 alone: compile it with -march=rv32im, or more, and -mabi=ilp32"
#endif
