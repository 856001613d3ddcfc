// SPDX-License-Identifier: Apache-2.0
//
// An accelerator behind AXI4-Lite, simulated, with the C driver in front. Stands behind the driver's
// files in one file. Reads lines from stdin; numbers are hexadecimal, but for lengths in bits. Each line
// is answered with one: the status, then what there is to say.
//   r ADDRESS, w ADDRESS WORD STROBES     raw accesses
//   run CYCLES                            let them pass
//   reset CYCLES                          hold the reset for so many
//   idle LIMIT                            wait until no command is under way: cycles, or -1
//   irq                                   the interrupt
//   open | load BITS M | power POLICY X E BITS | product X Y | lock BITS M BITS E | loadkey BITS
//   keypower POLICY X | clear | zeroize | cycles
//   failing COUNT                         accesses from the COUNTth on fail on the bus; negative: none does
//   interrupt CYCLES                      commands end by interrupt, for which a wait lasts so many
//                                         cycles; 0: by polls
//   key BITS N BITS E BITS P BITS Q DP DQ QINV
//   begin | private X | rsapublic X
//   fault ADDRESS COUNT                   flip a bit of the COUNT-th word read from an address
//   flip COUNT                            flip a bit of the COUNT-th word from now on, read or written
//   rnd MODE                              words of the accelerator's source: 0 it says that it fails, 1 good,
//                                         2 always the same; 3: it fails after 20 words
//   ec NAME | public K | ecdh K X Y | signec D NONCE HASH | verify X Y HASH R S | x25519 K U
//   unverified 0 | unverified 1          whether the driver verifies signatures
//   lockec D USES | drawec USES | keypublic | keyagree X Y | keysign HASH | adopt
//   edpublic SECRET | edpoint NONCE | ednumber SECRET NONCE CHALLENGE KEY POINT
//   edverify KEY CHALLENGE SIGNATURE
//   total                                 clock cycles and accesses so far
//   spent                                 cycles since the last time, of them in commands; commands

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Vdut.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

using Pka = montcore::VerilatedPka<Vdut>;
using Limbs = std::vector<uint32_t>;

struct Bench {
  Pka device;
  uint64_t seed = 1;
  long failing = -1, fault_count = 0, flip = 0;
  uint32_t fault_address = 0;
  uint64_t accesses = 0;
  uint64_t words = 0x9e3779b97f4a7c15u;
  int word_mode = 1, words_left = 20;
  unsigned interrupt_cycles = 0;
  uint64_t commands = 0, command_cycles = 0, own_cycles = 0;  // see `spent`
};

Bench *bench;

/// Whether an access fails on the bus.
bool bench_fails() {
  ++bench->accesses;
  if (bench->failing > 0) --bench->failing;
  return bench->failing == 0;
}
int bench_read(void *, uint32_t address, uint32_t *value) {
  if (bench_fails()) return 1;
  const int response = bench->device.read(address, value);
  if (address == 0x18) {  // the end of a command: how long it took, at no cost to the total
    const uint64_t begin = bench->device.cycles();
    uint32_t cycles = 0;
    bench->device.read(0x30, &cycles);
    ++bench->commands;
    bench->command_cycles += cycles;
    bench->own_cycles += bench->device.cycles() - begin;
  }
  if (address == bench->fault_address && bench->fault_count > 0 && --bench->fault_count == 0) *value ^= 1u;
  if (bench->flip > 0 && --bench->flip == 0) *value ^= 1u;
  return response;
}
int bench_write(void *, uint32_t address, uint32_t value) {
  if (bench_fails()) return 1;
  if (bench->flip > 0 && --bench->flip == 0) value ^= 1u;
  return bench->device.write(address, value);
}
int bench_pause(void *) {
  if (bench->interrupt_cycles == 0) return Pka::port_pause(&bench->device);
  for (unsigned left = bench->interrupt_cycles; left > 0; --left) {
    if (bench->device.irq()) return 0;
    bench->device.run(1);
  }
  return 1;
}
uint64_t stepped(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
int bench_random(void *, uint8_t *bytes, size_t count) {
  while (count-- > 0) *bytes++ = static_cast<uint8_t>(stepped(bench->seed) >> 24);
  return 0;
}

int bench_word(void *, uint32_t *word) {
  const uint32_t drawn = static_cast<uint32_t>(stepped(bench->words) >> 16);
  *word = bench->word_mode == 2 ? 5 : drawn;
  return bench->word_mode == 0 || (bench->word_mode == 3 && bench->words_left-- <= 0);
}

template <typename T>
T next(std::istream &in) {
  T value{};
  in >> value;
  return value;
}

/// The text of a byte string, and a byte string of a text.
std::string text_of(const uint8_t *bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < count; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}
std::vector<uint8_t> bytes_of(std::istream &in) {
  const auto text = next<std::string>(in);
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + 1 < text.size(); at += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

Limbs number(std::istream &in) {
  const auto text = next<std::string>(in);
  Limbs value(MONTCORE_PKA_MAX_LIMBS, 0);
  for (size_t end = text.size(), limb = 0; end > 0 && limb < value.size(); ++limb) {
    const size_t begin = end > 8 ? end - 8 : 0;
    value[limb] = static_cast<uint32_t>(std::stoul(text.substr(begin, end - begin), nullptr, 16));
    end = begin;
  }
  return value;
}
std::string hex(const uint32_t *limbs, unsigned count) {
  std::string text;
  char digits[9];
  while (count-- > 0) {
    std::snprintf(digits, sizeof digits, "%08x", limbs[count]);
    text += digits;
  }
  return text.empty() ? "0" : text;
}

}  // namespace

int main() {
  Bench own;
  bench = &own;
  montcore_pka_port port = {nullptr, bench_read, bench_write, bench_pause, bench_random, 1000000};
  montcore_pka pka = {};
  own.device.set_random(bench_word, nullptr);
  struct Named {
    const char *name;
    const montcore_ecc_curve *curve;
  };
  const Named known[] = {{"p256", &montcore_p256},
                         {"p384", &montcore_p384},
                         {"p521", &montcore_p521},
                         {"secp256k1", &montcore_secp256k1},
                         {"brainpool_p256r1", &montcore_brainpool_p256r1},
                         {"ed25519", &montcore_ed25519},
                         {"curve25519", &montcore_curve25519}};
  const montcore_ecc_curve *curve = &montcore_p256;
  montcore_rsa rsa = {};
  montcore_rsa_key key = {};
  Limbs n, e, p, q, dp, dq, qinv;
  std::string line, word;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    in >> word;
    long status = 0;
    std::string said;
    Limbs z(MONTCORE_PKA_MAX_LIMBS, 0xffffffffu);
    Limbs other(MONTCORE_PKA_MAX_LIMBS, 0xffffffffu);
    const auto said_both = [&](unsigned limbs) {
      said = hex(z.data(), limbs) + " " + hex(other.data(), limbs);
    };
    const auto said_z = [&] { said = hex(z.data(), montcore_pka_limbs(pka.bits)); };
    if (word == "r") {
      uint32_t address = 0, value = 0;
      in >> std::hex >> address;
      status = own.device.read(address, &value);
      said = hex(&value, 1);
    } else if (word == "w") {
      uint32_t address = 0, value = 0, strobes = 0;
      in >> std::hex >> address >> value >> strobes;
      status = own.device.write(address, value, strobes);
    } else if (word == "run") {
      own.device.run(next<unsigned>(in));
    } else if (word == "reset") {
      own.device.reset(next<unsigned>(in));
    } else if (word == "idle") {
      const uint64_t limit = next<uint64_t>(in), begin = own.device.cycles();
      uint32_t value = 1;
      while (own.device.cycles() - begin < limit) {
        if (own.device.read(0x14, &value) != 0) break;
        if (!(value & 1u)) break;
        own.device.run(16);
      }
      said = (value & 1u) ? "-1" : std::to_string(own.device.cycles() - begin);
    } else if (word == "irq") {
      said = own.device.irq() ? "1" : "0";
    } else if (word == "interrupt") {
      in >> own.interrupt_cycles;
      status = montcore_pka_interrupt(&pka, own.interrupt_cycles != 0);
    } else if (word == "failing") {
      in >> own.failing;
    } else if (word == "flip") {
      in >> own.flip;
    } else if (word == "fault") {
      in >> std::hex >> own.fault_address >> std::dec >> own.fault_count;
    } else if (word == "total") {
      said = std::to_string(own.device.cycles()) + " " + std::to_string(own.accesses);
    } else if (word == "spent") {
      static uint64_t before = 0;
      const uint64_t now = own.device.cycles() - own.own_cycles;
      said = std::to_string(now - before) + " " + std::to_string(own.command_cycles) + " " +
             std::to_string(own.commands);
      before = now;
      own.command_cycles = own.commands = 0;
    } else if (word == "open") {
      status = montcore_pka_open(&pka, &port);
      said = std::to_string(pka.length);
    } else if (word == "load") {
      const auto bits = next<unsigned>(in);
      status = montcore_pka_load(&pka, number(in).data(), bits);
    } else if (word == "power") {
      const auto policy = static_cast<montcore_pka_policy>(next<unsigned>(in));
      const Limbs x = number(in), exponent = number(in);
      status = montcore_pka_power(&pka, policy, x.data(), exponent.data(), next<unsigned>(in), z.data());
      said_z();
    } else if (word == "product") {
      const Limbs x = number(in), y = number(in);
      status = montcore_pka_product(&pka, x.data(), y.data(), z.data());
      said_z();
    } else if (word == "lock") {
      const auto bits = next<unsigned>(in);
      const Limbs m = number(in);
      const auto e_bits = next<unsigned>(in);
      status = montcore_pka_lock_key(&pka, m.data(), bits, number(in).data(), e_bits);
    } else if (word == "loadkey") {
      status = montcore_pka_load_key(&pka, next<unsigned>(in));
    } else if (word == "keypower") {
      const auto policy = static_cast<montcore_pka_policy>(next<unsigned>(in));
      status = montcore_pka_key_power(&pka, policy, number(in).data(), z.data());
      said_z();
    } else if (word == "clear") {
      status = montcore_pka_clear(&pka);
    } else if (word == "zeroize") {
      status = montcore_pka_zeroize(&pka);
    } else if (word == "cycles") {
      uint32_t cycles = 0;
      status = montcore_pka_cycles(&pka, &cycles);
      said = std::to_string(cycles);
    } else if (word == "key") {
      key.bits = next<unsigned>(in), n = number(in), key.e_bits = next<unsigned>(in), e = number(in);
      key.p_bits = next<unsigned>(in), p = number(in), key.q_bits = next<unsigned>(in);
      q = number(in), dp = number(in), dq = number(in), qinv = number(in);
      key.n = n.data(), key.e = e.data(), key.p = p.data(), key.q = q.data();
      key.dp = dp.data(), key.dq = dq.data(), key.qinv = qinv.data();
    } else if (word == "begin") {
      status = montcore_rsa_begin(&rsa, &pka, &key);
    } else if (word == "private") {
      status = montcore_rsa_private(&rsa, number(in).data(), z.data());
      said = hex(z.data(), montcore_pka_limbs(key.bits));
    } else if (word == "rsapublic") {
      status = montcore_rsa_public(&pka, &key, number(in).data(), z.data());
      said = hex(z.data(), montcore_pka_limbs(key.bits));
    } else if (word == "rnd") {
      in >> own.word_mode;
      own.words_left = 20;
      own.device.set_random(bench_word, nullptr);
    } else if (word == "ec") {
      const auto name = next<std::string>(in);
      status = -98;
      for (const Named &item : known) {
        if (name == item.name) {
          curve = item.curve;
          status = montcore_ecc_load(&pka, curve);
        }
      }
    } else if (word == "public") {
      status = montcore_ecc_public(&pka, curve, number(in).data(), z.data(), other.data());
      said_both(montcore_ecc_limbs(curve));
    } else if (word == "ecdh") {
      const Limbs k = number(in), x = number(in), y = number(in);
      status = montcore_ecdh(&pka, curve, k.data(), x.data(), y.data(), z.data(), other.data());
      said_both(montcore_ecc_limbs(curve));
    } else if (word == "signec") {
      const Limbs d = number(in), nonce = number(in);
      const std::vector<uint8_t> hash = bytes_of(in);
      bool any = false;
      for (uint32_t limb : nonce) any = any || limb != 0;
      status = montcore_ecdsa_sign(&pka, curve, d.data(), any ? nonce.data() : nullptr,
                                   hash.data(), hash.size(), z.data(), other.data());
      said_both(montcore_ecc_limbs(curve));
    } else if (word == "verify") {
      const Limbs x = number(in), y = number(in);
      const std::vector<uint8_t> hash = bytes_of(in);
      const Limbs r = number(in), s = number(in);
      status = montcore_ecdsa_verify(&pka, curve, x.data(), y.data(), hash.data(), hash.size(),
                                     r.data(), s.data());
    } else if (word == "x25519") {
      const std::vector<uint8_t> k = bytes_of(in), u = bytes_of(in);
      uint8_t out[32];
      status = montcore_x25519(&pka, k.data(), u.data(), out);
      said = text_of(out, sizeof out);
    } else if (word == "edpublic" || word == "edpoint") {
      const std::vector<uint8_t> number = bytes_of(in);
      uint8_t out[32];
      status = (word == "edpublic" ? montcore_ed25519_public : montcore_ed25519_point)(
          &pka, number.data(), out);
      said = text_of(out, sizeof out);
    } else if (word == "ednumber") {
      const std::vector<uint8_t> secret = bytes_of(in), nonce = bytes_of(in), text = bytes_of(in);
      const std::vector<uint8_t> key = bytes_of(in), point = bytes_of(in);
      uint8_t out[32];
      status = montcore_ed25519_number(&pka, secret.data(), nonce.data(), text.data(), key.data(),
                                       point.data(), out);
      said = text_of(out, sizeof out);
    } else if (word == "edverify") {
      const std::vector<uint8_t> key = bytes_of(in), text = bytes_of(in), signature = bytes_of(in);
      status = montcore_ed25519_verify(&pka, key.data(), text.data(), signature.data());
    } else if (word == "unverified") {
      in >> pka.unverified;
    } else if (word == "lockec") {
      const Limbs d = number(in);
      status = montcore_ecc_lock_key(&pka, curve, d.data(), next<unsigned>(in));
    } else if (word == "drawec") {
      status = montcore_ecc_draw_key(&pka, curve, next<unsigned>(in));
    } else if (word == "adopt") {
      status = montcore_ecc_adopt_key(&pka, curve);
    } else if (word == "keypublic") {
      status = montcore_ecc_key_public(&pka, z.data(), other.data());
      said_both(pka.key_limbs);
    } else if (word == "keyagree") {
      const Limbs x = number(in), y = number(in);
      status = montcore_ecc_key_agree(&pka, x.data(), y.data(), z.data(), other.data());
      said_both(pka.key_limbs);
    } else if (word == "keysign") {
      const std::vector<uint8_t> hash = bytes_of(in);
      status = montcore_ecc_key_sign(&pka, hash.data(), hash.size(), z.data(), other.data());
      said_both(pka.key_limbs);
    } else {
      status = -99;
    }
    std::cout << status << ' ' << (said.empty() ? "0" : said) << '\n';
  }
  return 0;
}
