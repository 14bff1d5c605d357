#!/bin/sh
# Compiles every .cu of this folder, of the workloads of transactions and of benches/quick_release and benches/gpudet and of frames to .ptx with
# Debian's clang-16 (apt-get install clang-16).
set -eu
cd "$(dirname "$0")"
for source in ${1:-*.cu ../../src/gpu/workloads/kernels/*.cu ../../benches/quick_release/kernels/*.cu ../../benches/gpudet/kernels/*.cu ../../examples/determinism/*.cu ../frames/*.cu}; do
    clang-16 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx64 \
        -I . -nocudainc -nocudalib -O2 -S "$source" -o "${source%.cu}.ptx"
done
