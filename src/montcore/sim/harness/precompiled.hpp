// SPDX-License-Identifier: Apache-2.0
// What every model reads first: Verilator's run-time library and the standard headers. It is compiled
// once for each set of flags, since reading it takes longer than compiling a small model.
#pragma once

#include <cstdint>

// Each unit instantiates every template that an inline function of these headers uses. With this
// macro, which <cstdint> defines, set to 0, libstdc++ leaves out C++17's special functions in <cmath>,
// which no model uses.
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include "verilated.h"
