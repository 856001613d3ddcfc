// SPDX-License-Identifier: Apache-2.0
//
// An accelerator behind AXI4-Lite, simulated, that local programs reach through a Unix socket; the
// protocol is in montcore_pka_socket.h. One of them has it at a time, from BEGIN to the end of its
// connection; the others wait in order, users in turns. What it leaves is cleared, a command under way
// abandoned.
//
// serve --socket PATH --mode OCTAL --group GID --idle MS --session MS [--key-fd FD]
//
// PATH is made with this mode and, unless it is -1, group. --idle limits how long a program may make no
// progress while it has the accelerator, or before BEGIN; --session how long it may have it while others
// wait. From the descriptor a key is read and locked, in hexadecimal: how many words are written,
// address and word of each, the command last; then how many words of its public part may be told, place
// (MONTCORE_PKA_SOCKET_KEY_...) and word of each. No image of the process's memory is ever written.
// SIGTERM, SIGINT and SIGHUP end it: the accelerator is zeroized, the socket removed.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include <cstdlib>
#include <iterator>

#include "Vdut.h"
#include "montcore_pka_connections.hpp"
#include "montcore_pka_verilated.hpp"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

using montcore::Clock;
using montcore::complain;
using montcore::Connection;
using montcore::Milliseconds;
using montcore::wipe;
using montcore::word_of;

// Registers and commands of hw/soc/montcore_pka.rdl.
constexpr uint32_t kControl = 0x10, kStatus = 0x14, kError = 0x18, kInterrupt = 0x1c, kCommand = 0x2c;
constexpr uint32_t kKept[] = {0x20, 0x24, 0x28, 0x34};  // registers that keep what is written
constexpr uint32_t kBusy = 1, kZeroize = 1, kKeep = 2, kClear = 6;
constexpr unsigned kWords = 4096;  // of a key, at most

constexpr unsigned kChunk = 1024;             // cycles between two looks at the time
constexpr Milliseconds kLook(5);              // between two looks at the sockets
constexpr Milliseconds kAnswer(1000);         // after which a WAIT is answered in any case
constexpr uint64_t kSettleCycles = 1u << 22;  // in which all is cleared

volatile sig_atomic_t stopped = 0;
void stop(int) { stopped = 1; }

// A random word for the curve engine; fails where the system gives none.
int random_word(void *, uint32_t *word) {
  static uint32_t kept[64];
  static size_t left = 0;
  if (left == 0) {
    if (getrandom(kept, sizeof kept, 0) != static_cast<ssize_t>(sizeof kept)) return 1;
    left = std::size(kept);
  }
  *word = kept[--left];
  kept[left] = 0;
  return 0;
}

class Server {
 public:
  Server(Milliseconds idle, Milliseconds session) : idle_(idle), session_(session) {
    device_.set_random(random_word, nullptr);  // for the curve engine
    clean();
  }
  ~Server();

  bool open(const std::string &path, mode_t mode, gid_t group) {
    return connections_.open(path, mode, group);
  }
  bool lock(FILE *from);
  void run();

 private:
  void serve();
  bool act(const uint8_t *frame);
  void answer(uint32_t value);
  void advance();
  void drop_late();
  void sweep();
  bool pending() const;
  bool settle();
  void clean();

  Milliseconds idle_, session_;
  montcore::VerilatedPka<Vdut> device_;
  montcore::Connections connections_;
  Connection *owner_ = nullptr;
  bool refused_ = false;  // an access since the last answer was
  bool waiting_ = false;  // a WAIT is under way
  uint64_t wait_end_ = 0;
  Clock::time_point wait_since_;
  bool locked_ = false;                    // a key is
  uint32_t rest_ = 0;                      // the status while nobody has the accelerator
  std::map<uint32_t, uint32_t> key_told_;  // words of its public part, by place
  uint64_t sessions_ = 0, abandoned_ = 0, commands_ = 0;
};

bool Server::lock(FILE *from) {
  std::setvbuf(from, nullptr, _IONBF, 0);
  unsigned count = 0, at = 0, word = 0;
  uint32_t error = 1;
  bool good = std::fscanf(from, "%x", &count) == 1 && count <= kWords;
  while (good && count-- > 0) {
    good = std::fscanf(from, "%x %x", &at, &word) == 2 && device_.write(at, word) == 0;
  }
  wipe(&word, sizeof word);
  good = good && settle() && device_.read(kError, &error) == 0 && error == 0;
  good = good && std::fscanf(from, "%x", &count) == 1 && count <= kWords;
  while (good && count-- > 0) {
    good = std::fscanf(from, "%x %x", &at, &word) == 2;
    key_told_[at] = word;
  }
  locked_ = good;
  if (!good) std::fprintf(stderr, "the key was not taken, error %u of the accelerator\n", error);
  if (good && device_.read(kStatus, &rest_) == 0) clean();
  return good && !stopped;
}

// Lets what is under way end; tells whether it did.
bool Server::settle() {
  uint32_t state = kBusy;
  const uint64_t end = device_.cycles() + kSettleCycles;
  while (device_.read(kStatus, &state) == 0 && (state & kBusy) && device_.cycles() < end) device_.run(kChunk);
  return !(state & kBusy);
}

// Nothing of the last owner stays, but for a key that the server has locked: what was under way is
// abandoned, units and slots are cleared, then the registers. The last command is a clear, for error
// and cycles tell of it.
void Server::clean() {
  uint32_t state = kBusy;
  bool good = device_.write(kControl, locked_ ? kZeroize | kKeep : kZeroize) == 0 && settle();
  for (const uint32_t at : kKept) good = device_.write(at, 0) == 0 && good;
  good = device_.write(kCommand, kClear) == 0 && good && settle();
  good = device_.write(kInterrupt, 3) == 0 && good;
  if (good && device_.read(kStatus, &state) == 0 && state == rest_) return;
  std::fprintf(stderr, "the accelerator cannot be cleared: status %x\n", state);
  stopped = 1;
}

void Server::answer(uint32_t value) {
  owner_->output.assign(MONTCORE_PKA_SOCKET_ANSWER, 0);
  owner_->output[0] = static_cast<uint8_t>(refused_);
  for (unsigned i = 0; i < 4; ++i) owner_->output[4 + i] = static_cast<uint8_t>(value >> (8 * i));
  refused_ = false;
  owner_->tell();
}

// Carries out one request of the owner; false if there is no such one.
bool Server::act(const uint8_t *frame) {
  const uint32_t address = word_of(frame + 4), value = word_of(frame + 8);
  uint32_t found = 0;
  switch (word_of(frame)) {
    case MONTCORE_PKA_SOCKET_READ:
      if (address > 0xffff || device_.read(address, &found) != 0) refused_ = true;
      answer(found);
      return true;
    case MONTCORE_PKA_SOCKET_WRITE:
      // A key that the server has locked is not one client's to clear.
      if (address > 0xffff || (locked_ && address >> 2 == kControl >> 2) ||
          device_.write(address, value) != 0) {
        refused_ = true;
      }
      commands_ += address == kCommand;
      return true;
    case MONTCORE_PKA_SOCKET_WAIT:
      waiting_ = true;
      wait_end_ = device_.cycles() + value;
      wait_since_ = Clock::now();
      return true;
    case MONTCORE_PKA_SOCKET_KEY:
      answer(key_told_.count(address) ? key_told_[address] : 0);
      return true;
    default: return false;
  }
}

// Carries out what the owner has asked for, up to a WAIT or an answer that it has to read first.
void Server::serve() {
  size_t at = 0;
  const std::vector<uint8_t> &input = owner_->input;
  while (!waiting_ && !owner_->gone && owner_->output.empty() &&
         input.size() - at >= MONTCORE_PKA_SOCKET_REQUEST) {
    if (!act(input.data() + at)) owner_->gone = true;
    at += MONTCORE_PKA_SOCKET_REQUEST;
  }
  if (at == 0) return;
  owner_->drop(at);
  owner_->since = Clock::now();
}

// Lets the clock run for a WAIT, until it is time to look at the sockets.
void Server::advance() {
  const Clock::time_point begin = Clock::now();
  uint32_t state = kBusy;
  for (;;) {
    if (device_.read(kStatus, &state) != 0) refused_ = true;
    const Clock::time_point now = Clock::now();
    if (!(state & kBusy) || device_.cycles() >= wait_end_ || now - wait_since_ > kAnswer) break;
    if (now - begin > kLook) return;
    device_.run(kChunk);
  }
  waiting_ = false;
  owner_->since = Clock::now();
  answer(state);
}

void Server::drop_late() {
  const Clock::time_point now = Clock::now();
  const bool wanted = connections_.waiting(owner_) > 0;
  for (Connection &one : connections_.all) {
    const bool holds = &one == owner_;
    if ((holds ? !waiting_ : !one.begun) && now - one.since > idle_) one.gone = true;
    if (holds && wanted && now - one.granted > session_) one.gone = true;
  }
}

// Forgets who is gone.
void Server::sweep() {
  if (owner_ && owner_->gone) {
    uint32_t state = 0;
    abandoned_ += device_.read(kStatus, &state) != 0 || (state & kBusy) != 0;
    owner_ = nullptr;
    refused_ = waiting_ = false;
    clean();
  }
  connections_.all.remove_if([](const Connection &one) { return one.gone; });
}

// Whether there is something to do before anything is heard.
bool Server::pending() const {
  return owner_ ? waiting_ || (owner_->output.empty() && owner_->asks())
                : connections_.waiting(nullptr) > 0;
}

void Server::run() {
  while (!stopped) {
    // A signal before this is seen after its time at the latest.
    connections_.look(owner_, !waiting_, pending() ? 0 : 100);
    if (!owner_ && (owner_ = connections_.next()) != nullptr) {
      owner_->since = owner_->granted = Clock::now();
      ++sessions_;
      answer(MONTCORE_PKA_SOCKET_VERSION);
    }
    if (owner_) serve();
    if (owner_ && !owner_->gone && waiting_) advance();
    drop_late();
    sweep();
  }
  std::printf("%llu session%s, %llu abandoned, %llu command%s, %llu cycles\n",
              static_cast<unsigned long long>(sessions_), sessions_ == 1 ? "" : "s",
              static_cast<unsigned long long>(abandoned_),
              static_cast<unsigned long long>(commands_), commands_ == 1 ? "" : "s",
              static_cast<unsigned long long>(device_.cycles()));
  std::fflush(stdout);
}

Server::~Server() {
  device_.write(kControl, kZeroize);
  settle();
}

}  // namespace

int main(int count, char **arguments) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < count; i += 2) given[arguments[i]] = arguments[i + 1];
  const auto number = [&](const char *name, int base) {
    return std::strtol(given[name].c_str(), nullptr, base);
  };
  const rlimit none{};
  if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) {
    complain("cannot forbid", "core dumps");
    return 1;
  }
  struct sigaction action {};
  action.sa_handler = stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
  signal(SIGPIPE, SIG_IGN);
  Server server(Milliseconds(number("--idle", 10)), Milliseconds(number("--session", 10)));
  if (given.count("--key-fd")) {
    FILE *from = fdopen(static_cast<int>(number("--key-fd", 10)), "r");
    const bool taken = from && server.lock(from);
    if (from) std::fclose(from);
    if (!taken) return 1;
  }
  const std::string path = given["--socket"];
  if (!server.open(path, static_cast<mode_t>(number("--mode", 8)),
                   static_cast<gid_t>(number("--group", 10)))) {
    return 1;
  }
  std::printf("listening on %s\n", path.c_str());
  std::fflush(stdout);
  server.run();
  return 0;
}
