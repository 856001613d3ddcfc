// SPDX-License-Identifier: Apache-2.0
// What every model reads first: Verilator's run-time library and the standard headers. It is compiled
// once for each set of flags, since reading it takes longer than compiling a small model.
#pragma once

#include <cstdint>
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
