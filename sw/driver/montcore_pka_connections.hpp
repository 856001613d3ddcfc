// SPDX-License-Identifier: Apache-2.0
//
// The socket of `montcore serve` and the connections of its clients: what they have sent and not yet
// been told, whose turn it is, and the limits that keep one of them from locking the others out.
#ifndef MONTCORE_PKA_CONNECTIONS_HPP
#define MONTCORE_PKA_CONNECTIONS_HPP

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "montcore_pka_socket.h"

namespace montcore {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

inline void wipe(void *memory, size_t bytes) {
  volatile uint8_t *at = static_cast<volatile uint8_t *>(memory);  // not to be optimised away
  while (bytes-- > 0) *at++ = 0;
}

inline uint32_t word_of(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

inline bool complain(const char *what, const std::string &path) {
  std::fprintf(stderr, "montcore: %s %s: %s\n", what, path.c_str(), std::strerror(errno));
  return false;
}

struct Connection {
  static constexpr size_t kInput = 512 * MONTCORE_PKA_SOCKET_REQUEST;  // bytes taken in at once

  int fd = -1;
  uid_t user = 0;
  Clock::time_point since;  // of the last progress: it came, was granted, had a request done
  Clock::time_point granted;
  bool begun = false, gone = false;
  std::vector<uint8_t> input, output;

  Connection(int socket, uid_t whose) : fd(socket), user(whose), since(Clock::now()) {
    input.reserve(kInput + MONTCORE_PKA_SOCKET_REQUEST);  // they never grow: no copy is left behind
    output.reserve(MONTCORE_PKA_SOCKET_ANSWER);
  }
  Connection(const Connection &) = delete;
  ~Connection() {
    wipe(input.data(), input.size());
    wipe(output.data(), output.size());
    close(fd);
  }

  /// Whether a whole request is here; nothing more is taken in before it is done.
  bool asks() const { return input.size() >= MONTCORE_PKA_SOCKET_REQUEST; }

  /// Takes in what the client has sent.
  void hear() {
    uint8_t bytes[kInput];
    const ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) gone = true;
    if (count > 0) input.insert(input.end(), bytes, bytes + count);
    wipe(bytes, sizeof bytes);
    if (begun || !asks()) return;
    begun = word_of(input.data()) == MONTCORE_PKA_SOCKET_BEGIN &&
            word_of(input.data() + 8) == MONTCORE_PKA_SOCKET_VERSION;
    gone = gone || !begun;
    drop(MONTCORE_PKA_SOCKET_REQUEST);
  }

  /// Forgets the first bytes of the input.
  void drop(size_t count) {
    const size_t rest = input.size() - count;
    std::memmove(input.data(), input.data() + count, rest);
    wipe(input.data() + rest, count);
    input.resize(rest);
  }

  /// Sends the answer; what the system has no room for is kept.
  void tell() {
    const ssize_t sent = send(fd, output.data(), output.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) gone = true;
    if (sent <= 0) return;
    const size_t rest = output.size() - static_cast<size_t>(sent);
    std::memmove(output.data(), output.data() + sent, rest);
    wipe(output.data() + rest, static_cast<size_t>(sent));
    output.resize(rest);
    since = Clock::now();
  }
};

class Connections {
 public:
  static constexpr size_t kOfOneUser = 128;  // connections of one user
  static constexpr size_t kAll = 896;        // of all users
  static constexpr int kQueue = 64;  // that nobody has accepted: fewer than kOfOneUser

  std::list<Connection> all;  // in the order in which they came

  Connections() = default;
  Connections(const Connections &) = delete;
  ~Connections() {
    struct stat found {};
    if (listener_ >= 0) close(listener_);
    if (node_ && lstat(path_.c_str(), &found) == 0 && found.st_ino == node_ && found.st_dev == volume_) {
      unlink(path_.c_str());
    }
  }

  /// Listens at a path with these permissions; a group of -1 is the process's own.
  bool open(const std::string &path, mode_t mode, gid_t group) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_ = path;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
      errno = ENAMETOOLONG;
      return complain("cannot listen on", path);
    }
    std::memcpy(address.sun_path, path.c_str(), path.size());
    const auto *where = reinterpret_cast<const sockaddr *>(&address);
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0) {
      // What an own server that was killed left is taken over; nothing else is.
      const int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      const bool dead = S_ISSOCK(found.st_mode) && found.st_uid == geteuid() &&
                        connect(other, where, sizeof address) != 0 && errno == ECONNREFUSED;
      close(other);
      errno = EADDRINUSE;
      if (!dead) return complain("cannot listen on", path);
      unlink(path.c_str());
    }
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(0777 & ~mode);
    const bool bound = listener_ >= 0 && bind(listener_, where, sizeof address) == 0;
    umask(mask);
    if (!bound || lstat(path.c_str(), &found) != 0) return complain("cannot listen on", path);
    volume_ = found.st_dev;
    node_ = found.st_ino;
    // Nobody can connect yet, and whatever may be in its place by now is not followed.
    if (group != static_cast<gid_t>(-1) && lchown(path.c_str(), static_cast<uid_t>(-1), group) != 0) {
      return complain("cannot give its group to", path);
    }
    return make_room() && (listen(listener_, kQueue) == 0 || complain("cannot listen on", path));
  }

  /// Hears the clients for so long at most; `owner` has the accelerator, if any has, and is heard
  /// where it `may_ask`.
  void look(const Connection *owner, bool may_ask, int milliseconds) {
    std::vector<pollfd> which;
    which.push_back({listener_, POLLIN, 0});
    for (const Connection &one : all) {
      // From whoever waits for its turn, for a command or for room for an answer only its end, or
      // this room, is of interest.
      short events = POLLRDHUP;
      if (!one.output.empty()) events |= POLLOUT;
      else if (!one.asks() && (&one == owner ? may_ask : !one.begun)) events |= POLLIN;
      which.push_back({one.fd, events, 0});
    }
    if (poll(which.data(), which.size(), milliseconds) <= 0) return;
    auto one = all.begin();
    for (size_t i = 1; i < which.size(); ++i, ++one) {
      if (which[i].revents & (POLLRDHUP | POLLHUP | POLLERR)) one->gone = true;
      else if (which[i].revents & POLLOUT) one->tell();
      else if (which[i].revents & POLLIN) one->hear();
    }
    if (which[0].revents & POLLIN) accept_all();
  }

  /// The client whose turn it is, or null: the users take turns, the clients of one in their order.
  Connection *next() {
    Connection *found = nullptr;
    for (Connection &one : all) {
      if (!one.begun || one.gone) continue;
      if (!found || turns_[one.user] < turns_[found->user]) found = &one;
    }
    if (found) turns_[found->user] = ++turn_;
    return found;
  }

  /// How many others wait for the accelerator.
  size_t waiting(const Connection *owner) const {
    size_t count = 0;
    for (const Connection &one : all) count += &one != owner && one.begun;
    return count;
  }

 private:
  /// A descriptor for every connection, as far as the system allows.
  bool make_room() {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return complain("no limit of files for", path_);
    const rlim_t wanted = kAll + 64;
    if (files.rlim_cur < wanted) {
      files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
      setrlimit(RLIMIT_NOFILE, &files);
    }
    limit_ = files.rlim_cur < wanted ? files.rlim_cur / 2 : kAll;
    return true;
  }

  void accept_all() {
    for (int count = 0; count < kQueue; ++count) {
      const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (fd < 0) return;
      ucred peer{};
      socklen_t size = sizeof peer;
      if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && has_place(peer.uid)) {
        all.emplace_back(fd, peer.uid);
      } else {
        close(fd);
      }
    }
  }

  /// Whether a user may have one more connection. If there are too many, the oldest one that has not
  /// begun makes room: of that user, or of any where all places are taken.
  bool has_place(uid_t user) {
    size_t count = 0, total = 0;
    for (const Connection &one : all) {
      total += !one.gone;
      count += !one.gone && one.user == user;
    }
    if (count < kOfOneUser && total < limit_) return true;
    for (Connection &one : all) {
      if (one.begun || one.gone || (count >= kOfOneUser && one.user != user)) continue;
      one.gone = true;
      return true;
    }
    return false;
  }

  std::string path_;
  int listener_ = -1;
  dev_t volume_ = 0;
  ino_t node_ = 0;
  size_t limit_ = kAll;
  uint64_t turn_ = 0;
  std::map<uid_t, uint64_t> turns_;  // the last one of each user
};

}  // namespace montcore
#endif
