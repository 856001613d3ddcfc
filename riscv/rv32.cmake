# SPDX-License-Identifier: Apache-2.0
#
# A bare-metal GCC for RV32IMAC, for `cmake -DCMAKE_TOOLCHAIN_FILE=rv32.cmake`.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_C_FLAGS_INIT "-march=rv32imac -mabi=ilp32")
set(CMAKE_ASM_FLAGS_INIT "-march=rv32imac -mabi=ilp32")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
