#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What a stranger does with the wheel, timed: installs it into an empty environment outside of any
# checkout, asks for a recommendation, verifies a core and exports it. Then the other verbs, untimed.
#
#   sh tools/stranger.sh dist/montcore-*.whl
#
# On PATH are the programs of the system but for simulators and synthesis tools; the home folder is
# empty. pip needs a package index. PYTHON names the interpreter; MINUTES is the limit, 3 by default.
set -eu
wheel=$(realpath "$1")
python=$(command -v "${PYTHON:-python3}")
python=$("$python" -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/bin"
for program in /bin/* /usr/bin/* /usr/local/bin/gcc /usr/local/bin/g++; do
  case ${program##*/} in
    iverilog* | vvp* | verilator* | yosys* | sta | nextpnr* | python* | pip*) ;;
    *) [ ! -x "$program" ] || ln -sf "$program" "$work/bin/" ;;
  esac
done
cd "$work/home"

clean() {
  env -i HOME="$work/home" PATH="$work/venv/bin:$work/bin" LANG=C.UTF-8 \
    ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} ${PIP_CERT:+PIP_CERT="$PIP_CERT"} "$@"
}
seconds() { echo $(($(date +%s) - start)); }

start=$(date +%s)
"$python" -m venv "$work/venv"
clean python -m pip install --quiet --disable-pip-version-check --no-cache-dir "$wheel"
echo "installed after $(seconds) s"
before=$(date +%s%N)
clean montcore recommend --bits 256 --targets osu018 --budget "area<=60000"
echo "recommended in $((($(date +%s%N) - before) / 1000000)) ms"
clean montcore verify cs4 --field p256r1 --random 1000
echo "verified after $(seconds) s"
clean montcore build cs4 --field p256r1 --target asic -o core
taken=$(seconds)
ls core
echo "a verified, exported core after $taken s; load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)"

# The other verbs, not timed: a product, a power, a signature that is verified.
clean montcore list >/dev/null
clean montcore mul cs4 --modulus 8b --x 53 --y 11 >/dev/null
clean montcore modexp cs4 --modulus 8b --base 53 --exponent 11 >/dev/null
clean montcore rsa keygen --size 1024 --primes openssl --out key.pem >/dev/null
echo text >text
clean montcore rsa sign --key key.pem --in text --out text.sig >/dev/null
clean montcore rsa verify --key key.pem --in text --signature text.sig
echo "list, mul, modexp and rsa work from the wheel"
[ "$taken" -le $((${MINUTES:-3} * 60)) ]
