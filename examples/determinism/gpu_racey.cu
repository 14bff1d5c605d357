// GPU-Racey (Jooybar's thesis, 2.2; after Racey of Hill and Xu): as racy as can be. Each thread walks over words that all
// share, and mixes what it finds into its own signature and into the word. The signature of any thread depends on the
// order of nearly all accesses before.
#include "cuda.h"

__device__ inline unsigned mix(unsigned a, unsigned b) {
    unsigned mixed = (a ^ (b << 7 | b >> 25)) * 2654435761u;
    return mixed ^ mixed >> 15;
}

extern "C" __global__ void gpu_racey(volatile unsigned *words, unsigned *signatures, int count, int rounds) {
    int thread = blockIdx_x * blockDim_x + threadIdx_x;
    unsigned signature = mix(thread + 1, 0x9e3779b9u);
    for (int round = 0; round < rounds; round++) {
        unsigned at = signature % count;
        unsigned found = words[at];
        signature = mix(signature, found);
        words[mix(found, round) % count] = signature;
    }
    signatures[thread] = signature;
}
