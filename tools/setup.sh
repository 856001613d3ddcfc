#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prepares a Debian or Ubuntu machine for montcore: a few system packages and a virtual environment
# in .venv with the pinned versions of requirements.txt. `make setup` runs it, and so do `make run`
# and `make test`.
#
# - Says what it will install before it does, skips what is there, never asks a question.
# - A second run finds the stamp, does nothing and needs no network.
# - Without root or sudo it goes on with what the Python packages bring, and says what is lost.
#
# PYTHON=python3.13 chooses the Python of .venv; .venv is made anew if it has another one.
# MONTCORE_SETUP_FORCE=1 tries again what an earlier run could not install.

set -eu
cd "$(dirname "$0")/.."

VENV=.venv
STAMP=$VENV/montcore-setup.stamp
LOG_DIR=.cache/setup
MIN_MINOR=10 # Python 3.10, as in pyproject.toml
GIVEN_UP=    # set once an attempt at the missing system packages was made, now or earlier

# An activated .venv must not be the Python that .venv is made with.
PATH=$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$PWD/$VENV/bin" | paste -sd: -)
export PATH

say() { printf 'setup: %s\n' "$*"; }
die() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# ---- What the system needs. One line each: a test, the Debian package, what is lost without.

# pod2usage is not in perl-base: the Verilator wrapper needs the whole of perl.
have_perl() { perl -MPod::Usage -MGetopt::Long -e 1 2>/dev/null; }
CELLS=share/qflow/tech/osu018
have_liberty() {
  [ -f "${MONTCORE_OSU018:-/usr/$CELLS}/osu018_stdcells.lib" ] ||
    [ -f "$VENV/$CELLS/osu018_stdcells.lib" ]
}
# Ubuntu has its browser as a snap only, which this does not install.
have_browser() {
  { have_command chromium && have_command chromedriver; } || ! grep -qx 'ID=debian' /etc/os-release
}
# Newer releases have the standard headers of the compiler for RISC-V in a package of a C library.
have_riscv_headers() {
  ! have_command riscv64-unknown-elf-gcc ||
    echo '#include <stdint.h>' | riscv64-unknown-elf-gcc -E -ffreestanding - >/dev/null 2>&1
}
have_openssl_headers() { [ -f "${MONTCORE_OPENSSL:-/usr/include/openssl}/core.h" ]; }
have_pkcs11_header() { [ -f "${MONTCORE_P11_KIT:-/usr/include/p11-kit-1/p11-kit}/pkcs11.h" ]; }
have_command() { command -v "$1" >/dev/null 2>&1; }

# cocotb loads Python into the simulator, for which the shared library must be there; Debian's
# python3 does without it.
have_libpython() {
  "$1" - 2>/dev/null <<'PYTHON'
import ctypes, pathlib, sysconfig
name = sysconfig.get_config_var("INSTSONAME") or ""
if not name.startswith("libpython") or ".so" not in name:
    name = "libpython{}.so.1.0".format(sysconfig.get_config_var("LDVERSION"))
try:
    ctypes.CDLL(name)
except OSError:
    ctypes.CDLL(str(pathlib.Path(sysconfig.get_config_var("LIBDIR") or "/") / name))
PYTHON
}

python_is_new_enough() {
  "$1" -c "import sys; sys.exit(sys.version_info < (3, $MIN_MINOR))" 2>/dev/null
}
python_makes_venvs() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

# Print the first Python that is new enough; $1 = venv asks that it can make environments as well.
find_python() {
  for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python3.10}; do
    if have_command "$candidate" && python_is_new_enough "$candidate"; then
      if [ "${1:-}" != venv ] || python_makes_venvs "$candidate"; then
        command -v "$candidate"
        return 0
      fi
    fi
  done
  return 1
}

python_minor() { "$1" -c 'import sys; print(sys.version_info[1])'; }

# The Debian package prefix (python3 or python3.N) of the Python to use. Where the release's own
# python3 is too old (Ubuntu 22.04), the newest packaged one that is new enough is taken.
python_package() {
  if have_command python3 && python_is_new_enough python3; then
    echo python3
    return
  fi
  default=$(apt-cache policy python3 2>/dev/null | sed -n 's/.*Candidate: 3\.\([0-9]*\).*/\1/p')
  if [ "${default:-0}" -ge "$MIN_MINOR" ]; then
    echo python3
    return
  fi
  for minor in 14 13 12 11 10; do
    if has_candidate "python3.$minor-venv"; then
      echo "python3.$minor"
      return
    fi
  done
  echo python3
}

has_candidate() {
  apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# Print `package|what is lost` for every system package that is missing.
missing_packages() {
  find_python venv >/dev/null || echo "PYTHON|everything: there is no Python 3.$MIN_MINOR or newer with venv"
  have_command g++ || echo "g++|RTL simulation: mul, verify, modexp and all cycle counts"
  have_command make || echo "make|RTL simulation: mul, verify, modexp and all cycle counts"
  have_perl || echo "perl|RTL simulation and Verilator lint"
  if python=$(find_python venv); then
    have_libpython "$python" || echo "LIBPYTHON|the cocotb protocol tests"
  fi
  [ -f "${MONTCORE_ZLIB:-/usr/include}/zlib.h" ] || echo "zlib1g-dev|waveforms of simulations"
  have_command openssl || echo "openssl|the RSA tests, which compare with OpenSSL"
  have_openssl_headers || echo "libssl-dev|the OpenSSL provider: make tls and its tests"
  have_command curl || echo "curl|the TLS tests"
  have_command opensc-tool || echo "opensc|the tests of the PKCS #11 module"
  have_command ssh || echo "openssh-client|the tests of ssh with the PKCS #11 module"
  have_pkcs11_header || echo "libp11-kit-dev|the PKCS #11 module and its tests"
  have_command iverilog || echo "iverilog|the Icarus compile check and gate-level simulation"
  have_command ghdl || echo "ghdl|the test of the VHDL that bundles bring"
  have_command tclsh || echo "tcl|the test of the Tcl that bundles bring"
  have_command coqc || echo "COQ|the theorems for every width in make formal, and their test"
  have_command verilator || echo "verilator|the check of bundles with Debian's own Verilator"
  have_command sta || echo "opensta|Tmin of ASIC synthesis (synth --target osu018)"
  have_command riscv64-unknown-elf-gcc ||
    echo "gcc-riscv64-unknown-elf|the RISC-V library: riscv bench and its tests"
  have_riscv_headers || echo "picolibc-riscv64-unknown-elf|the RISC-V library: riscv bench and its tests"
  have_command qemu-riscv32 || echo "qemu-user|the RISC-V tests"
  have_command cmake || echo "cmake|the RISC-V tests"
  have_browser || echo "BROWSER|the browser test of the report that compare writes"
  have_liberty || echo "qflow-tech-osu018|ASIC synthesis (synth --target osu018)"
}

# Replace the placeholders by real package names: these depend on the release's Python.
package_name() {
  case $1 in
    PYTHON) prefix=$(python_package) && echo "$prefix $prefix-venv" ;;
    LIBPYTHON)
      if python=$(find_python); then echo "libpython3.$(python_minor "$python")"; fi
      ;;
    BROWSER) echo "chromium chromium-driver" ;;
    COQ) if has_candidate libcoq-stdlib; then echo "coq libcoq-stdlib"; else echo coq; fi ;;
    *) echo "$1" ;;
  esac
}

# ---- System packages

# Print the prefix that makes a command run as root, or fail. sudo is used only where it does not
# ask for a password.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    echo env
  elif have_command sudo && sudo -n true 2>/dev/null; then
    echo "sudo -n env"
  else
    return 1
  fi
}

apt() {
  # shellcheck disable=SC2086 # AS_ROOT is a command with its arguments
  $AS_ROOT DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l LC_ALL=C \
    apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$LOG_DIR/apt.log" 2>&1
}

install_packages() {
  wanted=
  for package in "$@"; do
    if has_candidate "$package" || apt-cache showpkg "$package" 2>/dev/null |
      sed '1,/^Reverse Provides/d' | grep -q .; then
      wanted="$wanted $package"
    else
      say "this release has no package $package"
    fi
  done
  [ -n "$wanted" ] || return 0
  # shellcheck disable=SC2086 # a list of names
  if ! apt install -y --no-install-recommends $wanted; then
    # One bad package must not cost the others.
    for package in $wanted; do
      apt install -y --no-install-recommends "$package" ||
        say "$package could not be installed (see $LOG_DIR/apt.log)"
    done
  fi
}

# True when every missing package is one that an earlier run had to give up.
all_given_up() {
  for package in $1; do
    grep -qx "without $package" "$STAMP" 2>/dev/null || return 1
  done
}

setup_system() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  placeholders=$(echo "$missing" | cut -d'|' -f1)
  if [ -z "${MONTCORE_SETUP_FORCE:-}" ] && all_given_up "$placeholders"; then
    GIVEN_UP=yes
    return 0
  fi
  if ! have_command apt-get; then
    say "this system has no apt-get; nothing of it is installed"
    return 0
  fi
  names=$(for item in $placeholders; do package_name "$item"; done | tr '\n' ' ')
  if ! AS_ROOT=$(root_prefix); then
    say "no root and no sudo without a password; an administrator can install what is missing:"
    say "  apt-get install --no-install-recommends $names"
    return 0
  fi
  GIVEN_UP=yes
  say "installing system packages, a few minutes: $names"
  mkdir -p "$LOG_DIR"
  : >"$LOG_DIR/apt.log"
  if ! apt update; then
    say "the package lists could not be read again; going on with those that are here"
  fi
  # The names may depend on what the lists offer, and libpython on the Python that came first.
  names=$(for item in $placeholders; do package_name "$item"; done | tr '\n' ' ')
  # shellcheck disable=SC2086 # a list of names
  install_packages $names
  # What is missed only now: the library of the Python, headers of the compiler that came first.
  for later in $(missing_packages | cut -d'|' -f1); do
    # shellcheck disable=SC2046 # a list of names
    echo "$placeholders" | grep -qx "$later" || install_packages $(package_name "$later")
  done
}

report_losses() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  echo "$missing" | while IFS='|' read -r package loss; do
    say "without $(package_name "$package") you do not have: $loss"
  done
  if grep -q '^without ' "$STAMP"; then
    say "(MONTCORE_SETUP_FORCE=1 make setup tries these again)"
  fi
}

# ---- Virtual environment

requirements_key() { sha256sum requirements.txt | cut -d' ' -f1; }

# True unless PYTHON names another version of Python than that of .venv.
venv_is_wanted() {
  [ -z "${PYTHON:-}" ] || [ "$(python_minor "$PYTHON")" = "$(python_minor $VENV/bin/python)" ]
}

# Each package that setup left in .venv, by the folder of its metadata. One that was removed since,
# or has another version, is installed again.
packages() { find $VENV/lib -maxdepth 3 -name '*.dist-info' 2>/dev/null | sort; }
packages_are_there() {
  sed -n 's/^has //p' $STAMP | while read -r package; do [ -d "$package" ] || return 1; done
}

venv_is_ready() {
  [ -x $VENV/bin/python ] && venv_is_wanted &&
    grep -qx "requirements $(requirements_key)" $STAMP 2>/dev/null && packages_are_there &&
    $VENV/bin/python -c 'import montcore, montcore_lab, montcore_riscv' 2>/dev/null
}

# Run pip, everything into the log, a line per package on the screen. Without --use-pep517 old versions
# of pip would build wavedrom, which has no wheel, with whatever .venv has, and fail.
pip_install() {
  (
    status=0
    $VENV/bin/python -m pip install --no-input --disable-pip-version-check \
      --progress-bar off --use-pep517 "$@" </dev/null 2>&1 || status=$?
    echo "pip status $status"
  ) | tee -a $LOG_DIR/pip.log |
    sed -nu -e 's/^Collecting \([^ ]*\).*/setup:   \1/p' \
      -e 's/^\(ERROR: .*\)/setup:   \1/p' -e 's/^Installing collected.*/setup:   unpacking, a minute or two/p'
  [ "$(tail -n 1 $LOG_DIR/pip.log)" = "pip status 0" ]
}

network_failed() {
  grep -q -E 'NewConnectionError|NameResolutionError|Temporary failure|Failed to establish|Connection (broken|refused)|unreachable|ProxyError|timed out' \
    $LOG_DIR/pip.log
}

# What has a stamp was made by set-up, even if it was interrupted then.
remove_venv() {
  [ ! -e $VENV ] || [ -f $STAMP ] || die "set-up did not make $VENV; move it away and run this again"
  rm -rf $VENV
}

setup_venv() {
  if [ -z "${MONTCORE_SETUP_FORCE:-}" ] && venv_is_ready; then
    return 0
  fi
  [ ! -e $VENV ] || [ -f $VENV/pyvenv.cfg ] ||
    die "$VENV exists and is no virtual environment of Python; move it away and run this again"
  python=$(find_python venv || true)
  if [ -x $VENV/bin/python ] && venv_is_wanted && python_is_new_enough $VENV/bin/python &&
    $VENV/bin/python -c 'import pip' 2>/dev/null; then
    say "bringing $VENV up to date with requirements.txt"
  elif [ -n "$python" ]; then
    say "creating $VENV with $("$python" --version)"
    remove_venv
    "$python" -m venv $VENV
    : >$STAMP
  elif have_command virtualenv && virtualenv --version >/dev/null 2>&1; then
    say "creating $VENV with virtualenv"
    remove_venv
    virtualenv -q $VENV && python_is_new_enough $VENV/bin/python ||
      die "virtualenv made no environment with Python 3.$MIN_MINOR or newer"
    : >$STAMP
  else
    die "there is no Python 3.$MIN_MINOR or newer${PYTHON:+ named $PYTHON} that can make environments;" \
      "install $(package_name PYTHON) and run this again"
  fi

  mkdir -p $LOG_DIR
  : >$LOG_DIR/pip.log
  say "installing $(grep -c '^[a-z]' requirements.txt) pinned Python packages" \
    "(about 1 GB on disk, a minute or two)"
  lost=
  if ! pip_install -r requirements.txt; then
    if network_failed; then
      die "the package index cannot be reached; the log is $LOG_DIR/pip.log"
    fi
    say "not all of them can be had here; trying one at a time"
    # A package with its hashes is a line of its name and those that belong to it.
    parts=$(mktemp -d)
    awk -v parts="$parts" '/^[a-z]/ { n++; name = $1 } n { print >(parts "/" name "." n) }' requirements.txt
    for part in "$parts"/*; do
      pip_install --no-deps -r "$part" || lost="$lost $(basename "${part%.*}")"
    done
    rm -r "$parts"
  fi
  pip_install --no-deps --no-build-isolation --editable . --editable riscv --editable lab || die "montcore itself cannot be installed; see $LOG_DIR/pip.log"
  if [ -n "$lost" ]; then
    say "without these packages (\`make doctor\` says what they cost):$lost"
    say "(MONTCORE_SETUP_FORCE=1 make setup tries these again)"
  fi
}

# ---- The cells of osu018

# After release 12 Debian has no package of them, but its archive still has that of release 12. The
# files go into .venv, since the programs that the package asks for are neither there nor needed.
setup_cells() {
  if have_liberty || ! grep -qx 'ID=debian' /etc/os-release || ! have_command apt-get; then
    return 0
  fi
  say "taking the cells of osu018 from Debian 12"
  mkdir -p $LOG_DIR
  folder=$(mktemp -d)
  if (cd "$folder" && unpack_cells) </dev/null >>$LOG_DIR/apt.log 2>&1; then
    mkdir -p "$VENV/${CELLS%/*}"
    cp -r "$folder/usr/$CELLS" "$VENV/${CELLS%/*}"
  fi
  rm -r "$folder"
}
unpack_cells() {
  mkdir -p lists/partial cache/archives/partial
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "$(apt-get indextargets --format '$(SITE)' | head -n 1) bookworm main" >list
  apt_of_12 update && apt_of_12 download qflow-tech-osu018 && dpkg-deb -x qflow-tech-osu018*.deb .
}
apt_of_12() {
  apt-get -q -o Dir::Etc::SourceList="$PWD/list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root "$@"
}

write_stamp() {
  {
    echo "requirements $(requirements_key)"
    packages | sed 's/^/has /'
    if [ -n "$GIVEN_UP" ]; then
      missing_packages | sed 's/^\([^|]*\)|.*/without \1/'
    fi
  } >$STAMP.new
  mv $STAMP.new $STAMP
}

if [ -z "${MONTCORE_SETUP_FORCE:-}" ] && venv_is_ready &&
  all_given_up "$(missing_packages | cut -d'|' -f1)"; then
  say "nothing to do"
  report_losses
  exit 0
fi
setup_system
setup_venv
setup_cells
write_stamp
report_losses
say "ready"
