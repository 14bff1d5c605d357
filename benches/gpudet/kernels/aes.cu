// AES encryption (AES): a thread has a column of a state, which its workgroup keeps in shared memory.
#include "cuda.h"

__device__ inline unsigned turned(unsigned word, int bits) { return word << bits | word >> (32 - bits); }

// `table[x]` holds 2 s, s, s, 3 s of the S-box's byte s, from the lowest byte up. A workgroup has 256 threads.
extern "C" __global__ void aes(const unsigned *table, const unsigned *keys, const unsigned *from, unsigned *to,
                               int rounds) {
    __shared__ unsigned mixed[256], state[256];
    int t = threadIdx_x, at = blockIdx_x * 256 + t, column = t & 3, block = t & ~3;
    mixed[t] = table[t];
    state[t] = from[at] ^ keys[column];
    __syncthreads();
    for (int round = 1; round < rounds; round++) {
        unsigned next = keys[4 * round + column];
        for (int row = 0; row < 4; row++) {
            unsigned byte = state[block | (column + row & 3)] >> 8 * row & 255;
            next ^= turned(mixed[byte], 8 * row & 31);
        }
        __syncthreads();
        state[t] = next;
        __syncthreads();
    }
    unsigned last = keys[4 * rounds + column];
    for (int row = 0; row < 4; row++) {
        unsigned byte = state[block | (column + row & 3)] >> 8 * row & 255;
        last ^= (mixed[byte] >> 8 & 255) << 8 * row;
    }
    to[at] = last;
}
