#!/bin/sh
# Compiles every .cu of this folder to .ptx with Debian's clang-16 (apt-get install clang-16).
set -eu
cd "$(dirname "$0")"
for source in ${1:-*.cu}; do
    clang-16 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx72 -std=c++17 \
        -nocudainc -nocudalib -O2 -S "$source" -o "${source%.cu}.ptx"
done
