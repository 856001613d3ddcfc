#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Exports a core into the present folder and runs the bench of this example on it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
montcore build rc --set w=8 --bits 16 -o core
cp "$here/stream_bench.sv" core
cd core
verilator --binary --timing -Wno-fatal -Wno-lint --top-module stream_bench -f files.f \
  stream_bench.sv >verilator.log
./obj_dir/Vstream_bench
