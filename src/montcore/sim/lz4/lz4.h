// SPDX-License-Identifier: Apache-2.0
//
// The two LZ4 functions that Verilator's FST writer calls, without compression: an LZ4 block may
// consist of one run of literals, which every LZ4 decoder reads. It saves montcore a dependency on
// the LZ4 development package; a wave file of a single failing product is small anyway.

#ifndef MONTCORE_LZ4_H_
#define MONTCORE_LZ4_H_

#include <cstring>

/// Largest size of a block of `size` bytes: the data, a length byte for each 255 and the token.
inline int LZ4_compressBound(int size) { return size + size / 255 + 16; }

/// Writes `size` bytes as one run of literals; returns the block's size, 0 if it does not fit.
inline int LZ4_compress_default(const char* src, char* dst, int size, int capacity) {
  if (capacity < LZ4_compressBound(size)) return 0;
  char* out = dst;
  if (size < 15) {
    *out++ = static_cast<char>(size << 4);
  } else {
    *out++ = static_cast<char>(0xf0);
    int rest = size - 15;
    for (; rest >= 255; rest -= 255) *out++ = static_cast<char>(0xff);
    *out++ = static_cast<char>(rest);
  }
  std::memcpy(out, src, static_cast<std::size_t>(size));
  return static_cast<int>(out - dst) + size;
}

#endif  // MONTCORE_LZ4_H_
