#!/bin/sh
# Installs what the tests need on Debian and runs every test.
#
# Debian packages: verilator, g++ and zlib1g-dev (simulation), iverilog and yosys (second opinions
# and lint), python3-venv (for pyslang). From PyPI: pyslang, into target/venv.
set -eu
cd "$(dirname "$0")/.."

packages="verilator g++ make zlib1g-dev iverilog yosys python3 python3-venv"
missing=""
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
if [ -n "$missing" ]; then
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root apt-get update
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing
fi

venv="target/venv"
if ! "$venv/bin/python3" -c "import pyslang" 2>/dev/null; then
    mkdir -p target
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet "pyslang>=12,<13"
fi
PATH="$PWD/$venv/bin:$PATH"
export PATH

# A tool that is missing is an error here, not a reason to skip.
CI=true
export CI
cargo test --workspace "$@"
