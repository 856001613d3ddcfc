// SPDX-License-Identifier: Apache-2.0
//
// An accelerator behind AXI4-Lite, simulated, that local programs reach through a Unix socket; the
// protocol is in montcore_pka_socket.h. One of them has it at a time, from BEGIN to the end of its
// connection; the others wait in order. What it leaves is cleared, a command under way abandoned.
//
// serve --socket PATH [--idle MS] [--session MS] [--key-fd FD]
//
// --idle limits how long a program may be silent while it has the accelerator, or before BEGIN;
// --session how long it may have it while others wait. From the descriptor a key is read and locked, in
// hexadecimal: how many words are written, address and word of each, the command last; then how many
// words of its public part may be told, place (MONTCORE_PKA_SOCKET_KEY_...) and word of each.
// SIGTERM and SIGINT end it: the accelerator is zeroized, the socket removed.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "Vdut.h"
#include "montcore_pka_socket.h"
#include "montcore_pka_verilated.hpp"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

// Registers and commands of hw/soc/montcore_pka.rdl.
constexpr uint32_t kControl = 0x10, kStatus = 0x14, kError = 0x18, kCommand = 0x2c;
constexpr uint32_t kBusy = 1, kZeroize = 1, kClear = 6;
constexpr unsigned kWords = 4096;  // of a key, at most

constexpr size_t kClients = 256;  // that may wait
constexpr size_t kInput = 6144;   // bytes that are taken in at once
constexpr unsigned kChunk = 1024;            // cycles between two looks at the time
constexpr Milliseconds kLook(5);             // between two looks at the sockets
constexpr Milliseconds kAnswer(1000);        // after which a WAIT is answered in any case
constexpr uint64_t kSettleCycles = 1u << 30;  // in which every command ends

volatile sig_atomic_t stopped = 0;
void stop(int) { stopped = 1; }

void wipe(void *memory, size_t bytes) {
  volatile uint8_t *at = static_cast<volatile uint8_t *>(memory);  // not to be optimised away
  while (bytes-- > 0) *at++ = 0;
}

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

struct Client {
  int fd;
  Clock::time_point since;  // when it was heard last, or when it was granted
  Clock::time_point granted;
  bool begun = false, gone = false;
  std::vector<uint8_t> input;
};

uint32_t word_of(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

class Server {
 public:
  Server(std::string path, Milliseconds idle, Milliseconds session)
      : path_(std::move(path)), idle_(idle), session_(session) {
    device_.set_random(random_word, nullptr);  // for the curve engine
    settle();  // memory is cleared after reset
  }

  bool open();
  bool lock(FILE *from);
  void run();
  ~Server();

 private:
  using Device = montcore::VerilatedPka<Vdut>;

  void look(bool wait);
  void accept_all();
  void hear(Client &client);
  void grant();
  void serve();
  bool act(const uint8_t *frame);
  void answer(uint32_t value);
  void advance();
  void drop_late();
  void sweep();
  bool pending() const;
  bool settle();
  void clean();

  std::string path_;
  Milliseconds idle_, session_;
  Device device_;
  int listener_ = -1;
  dev_t volume_ = 0;
  ino_t node_ = 0;
  std::list<Client> clients_;  // in the order in which they came
  Client *owner_ = nullptr;
  bool refused_ = false;  // an access since the last answer was
  bool waiting_ = false;  // a WAIT is under way
  uint64_t wait_end_ = 0;
  Clock::time_point wait_since_;
  bool locked_ = false;                    // a key is
  std::map<uint32_t, uint32_t> key_told_;  // words of its public part, by place
  uint64_t sessions_ = 0, abandoned_ = 0, commands_ = 0;
};

bool complain(const char *what, const std::string &path) {
  std::fprintf(stderr, "%s %s: %s\n", what, path.c_str(), std::strerror(errno));
  return false;
}

bool Server::open() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return complain("cannot listen on", path_);
  }
  std::memcpy(address.sun_path, path_.c_str(), path_.size());
  const auto *where = reinterpret_cast<const sockaddr *>(&address);
  struct stat found {};
  if (lstat(path_.c_str(), &found) == 0) {
    // What a server that was killed left is taken over; nothing else is.
    const int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool dead = S_ISSOCK(found.st_mode) && connect(other, where, sizeof address) != 0 &&
                      errno == ECONNREFUSED;
    close(other);
    errno = EADDRINUSE;
    if (!dead) return complain("cannot listen on", path_);
    unlink(path_.c_str());
  }
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t mask = umask(0177);  // its owner's alone
  const bool bound = listener_ >= 0 && bind(listener_, where, sizeof address) == 0;
  umask(mask);
  if (!bound || stat(path_.c_str(), &found) != 0) return complain("cannot listen on", path_);
  volume_ = found.st_dev;
  node_ = found.st_ino;
  return listen(listener_, 64) == 0 || complain("cannot listen on", path_);
}

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
  return good;
}

// Lets the command under way end; tells whether it did.
bool Server::settle() {
  uint32_t state = kBusy;
  const uint64_t end = device_.cycles() + kSettleCycles;
  while (device_.read(kStatus, &state) == 0 && (state & kBusy) && device_.cycles() < end) {
    device_.run(kChunk);
  }
  return !(state & kBusy);
}

// Nothing of the last owner stays. A locked key does, so its command must end first.
void Server::clean() {
  bool good = true;
  if (!locked_) {
    device_.write(kControl, kZeroize);
  } else {
    good = settle();
    device_.write(kCommand, kClear);
  }
  if (good && settle()) return;
  std::fprintf(stderr, "the accelerator does not end its command\n");
  stopped = 1;
}

void Server::accept_all() {
  for (;;) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    if (clients_.size() >= kClients) {
      close(fd);
      continue;
    }
    Client client{};
    client.fd = fd;
    client.since = Clock::now();
    client.input.reserve(2 * kInput);  // it never grows, so that no copy of it is left behind
    clients_.push_back(std::move(client));
  }
}

// Takes in what a client has sent; its end counts at once, whatever it sent before.
void Server::hear(Client &client) {
  uint8_t bytes[kInput];
  const ssize_t count = recv(client.fd, bytes, sizeof bytes, 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) client.gone = true;
  if (count > 0) {
    client.input.insert(client.input.end(), bytes, bytes + count);
    client.since = Clock::now();
  }
  wipe(bytes, sizeof bytes);
  if (client.begun || client.input.size() < MONTCORE_PKA_SOCKET_REQUEST) return;
  const uint8_t *frame = client.input.data();
  client.begun = word_of(frame) == MONTCORE_PKA_SOCKET_BEGIN &&
                 word_of(frame + 8) == MONTCORE_PKA_SOCKET_VERSION;
  client.gone = client.gone || !client.begun;
  client.input.erase(client.input.begin(), client.input.begin() + MONTCORE_PKA_SOCKET_REQUEST);
}

void Server::look(bool wait) {
  std::vector<pollfd> which;
  which.push_back({listener_, POLLIN, 0});
  for (const Client &client : clients_) {
    // From whoever waits for a command, or for the accelerator, only its end is of interest.
    const bool listens = &client == owner_ ? !waiting_ : !client.begun;
    which.push_back({client.fd, static_cast<short>(POLLRDHUP | (listens ? POLLIN : 0)), 0});
  }
  // A signal before poll is seen after this time at the latest.
  if (poll(which.data(), which.size(), wait ? 100 : 0) <= 0) return;
  auto client = clients_.begin();
  for (size_t i = 1; i < which.size(); ++i, ++client) {
    if (which[i].revents & (POLLRDHUP | POLLHUP | POLLERR)) client->gone = true;
    else if (which[i].revents & POLLIN) hear(*client);
  }
  if (which[0].revents & POLLIN) accept_all();
}

void Server::grant() {
  for (Client &client : clients_) {
    if (!client.begun || client.gone) continue;
    owner_ = &client;
    client.since = client.granted = Clock::now();
    refused_ = waiting_ = false;
    ++sessions_;
    answer(MONTCORE_PKA_SOCKET_VERSION);
    return;
  }
}

void Server::answer(uint32_t value) {
  uint8_t bytes[MONTCORE_PKA_SOCKET_ANSWER] = {static_cast<uint8_t>(refused_)};
  for (unsigned i = 0; i < 4; ++i) bytes[4 + i] = static_cast<uint8_t>(value >> (8 * i));
  refused_ = false;
  const ssize_t sent = send(owner_->fd, bytes, sizeof bytes, MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(sizeof bytes)) owner_->gone = true;  // it does not read them
  wipe(bytes, sizeof bytes);
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

// Carries out what the owner has asked for, up to a WAIT.
void Server::serve() {
  size_t at = 0;
  std::vector<uint8_t> &input = owner_->input;
  while (!waiting_ && !owner_->gone && input.size() - at >= MONTCORE_PKA_SOCKET_REQUEST) {
    if (!act(input.data() + at)) owner_->gone = true;
    at += MONTCORE_PKA_SOCKET_REQUEST;
  }
  const size_t rest = input.size() - at;
  std::memmove(input.data(), input.data() + at, rest);
  wipe(input.data() + rest, at);
  input.resize(rest);
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
  size_t others = 0;
  for (const Client &client : clients_) others += &client != owner_ && client.begun;
  for (Client &client : clients_) {
    if (&client == owner_) {
      if (!waiting_ && now - client.since > idle_) client.gone = true;
      if (others > 0 && now - client.granted > session_) client.gone = true;
    } else if (!client.begun && now - client.since > idle_) {
      client.gone = true;
    }
  }
}

// Forgets who is gone.
void Server::sweep() {
  for (auto client = clients_.begin(); client != clients_.end();) {
    if (!client->gone) {
      ++client;
      continue;
    }
    if (&*client == owner_) {
      uint32_t state = 0;
      abandoned_ += device_.read(kStatus, &state) != 0 || (state & kBusy) != 0;
      owner_ = nullptr;
      waiting_ = false;
      clean();
    }
    wipe(client->input.data(), client->input.size());
    close(client->fd);
    client = clients_.erase(client);
  }
}

// Whether there is something to do before anything is heard.
bool Server::pending() const {
  if (owner_) return waiting_ || owner_->input.size() >= MONTCORE_PKA_SOCKET_REQUEST;
  for (const Client &client : clients_) {
    if (client.begun) return true;
  }
  return false;
}

void Server::run() {
  while (!stopped) {
    look(!pending());
    if (!owner_) grant();
    if (owner_ && !owner_->gone) serve();
    if (owner_ && !owner_->gone && waiting_) advance();
    drop_late();
    sweep();
  }
}

Server::~Server() {
  struct stat found {};
  for (Client &client : clients_) {
    wipe(client.input.data(), client.input.size());
    close(client.fd);
  }
  device_.write(kControl, kZeroize);
  settle();
  if (listener_ >= 0) close(listener_);
  if (node_ && stat(path_.c_str(), &found) == 0 && found.st_ino == node_ && found.st_dev == volume_) {
    unlink(path_.c_str());
  }
  std::printf("%llu sessions, %llu abandoned, %llu commands, %llu cycles\n",
              static_cast<unsigned long long>(sessions_),
              static_cast<unsigned long long>(abandoned_),
              static_cast<unsigned long long>(commands_),
              static_cast<unsigned long long>(device_.cycles()));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char **arguments) {
  std::string path;
  long idle = 10000, session = 120000;
  int key = -1;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    if (name == "--socket") path = arguments[i + 1];
    else if (name == "--idle") idle = std::atol(arguments[i + 1]);
    else if (name == "--session") session = std::atol(arguments[i + 1]);
    else if (name == "--key-fd") key = std::atoi(arguments[i + 1]);
  }
  struct sigaction action {};
  action.sa_handler = stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  Server server(path, Milliseconds(idle), Milliseconds(session));
  if (key >= 0) {
    FILE *from = fdopen(key, "r");
    const bool taken = from && server.lock(from);
    if (from) std::fclose(from);
    if (!taken) return 1;
  }
  if (path.empty() || !server.open()) return 1;
  std::printf("listening on %s\n", path.c_str());
  std::fflush(stdout);
  server.run();
  return 0;
}
