// SPDX-License-Identifier: Apache-2.0
//
// The one simulation harness of montcore: it drives the common multiplier port (hw/common/README.md)
// of a Verilated core, checks the rules of the port on every cycle and measures each product. The
// format of the commands that it reads is in protocol.hpp; with --sequence LIMIT, that in sequence.hpp.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "commands.hpp"
#include "sequence.hpp"

int main(int argc, char** argv) {
  std::size_t beat_bytes = 0;
  uint64_t seed = 0;
  const char* wave = nullptr;
  const char* snapshot = nullptr;
  uint32_t limit = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--beat-bytes") beat_bytes = std::strtoul(argv[i + 1], nullptr, 10);
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--wave") wave = argv[i + 1];
    if (option == "--snapshot") snapshot = argv[i + 1];
    if (option == "--sequence") limit = std::strtoul(argv[i + 1], nullptr, 10);
  }
  if (beat_bytes == 0) {
    std::fprintf(stderr, "usage: simulator --beat-bytes N [--seed S] [--wave FILE]\n");
    return 2;
  }
  answers = fdopen(dup(STDOUT_FILENO), "wb");
  if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 3;
  std::setvbuf(stdin, nullptr, _IOFBF, 1 << 18);
  std::setvbuf(answers, nullptr, _IOFBF, 1 << 18);
  if (limit != 0) {
    Sequence(make_model(seed, wave), beat_bytes, limit).serve();
    return 0;
  }
  Bench bench(make_model(seed, wave), beat_bytes, seed, snapshot);
  bench.serve();
  return 0;
}
