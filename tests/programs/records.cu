// Structures with bit fields and unions, arrays of them in dynamic shared memory, long integers, a switch.
#include "../kernels/cuda.h"

struct Record {
    unsigned kind : 3;
    unsigned weight : 13;
    short delta;
    union {
        float real;
        unsigned bits;
    } value;
    long long total;
};

__constant__ long long weights[5] = {1, -2, 3000000000LL, 4, -5};

extern "C" __global__ void fold(const unsigned *seeds, long long *out) {
    extern __shared__ Record records[];
    Record &own = records[threadIdx_x];
    unsigned seed = seeds[threadIdx_x];
    own.kind = seed % 5;
    own.weight = seed >> 3;
    own.delta = (short)(seed * 7);
    own.value.real = (float)(seed % 1000) / 8;
    own.total = weights[own.kind];
    __syncthreads();
    const Record &other = records[(threadIdx_x + 5) % blockDim_x];
    long long result = other.total * own.weight;
    switch (other.kind) {
    case 0: result -= other.delta; break;
    case 1: result ^= other.value.bits; break;
    case 2: result /= own.weight + 1; break;
    case 3: result = result % 1000 + (long long)other.value.real; break;
    default: result <<= own.kind; break;
    }
    out[threadIdx_x] = result;
}
