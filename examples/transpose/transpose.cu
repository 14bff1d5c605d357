// The transpose of a square matrix in three ways, for docs/gpu.md: as written first, by tiles in shared memory,
// and by tiles whose columns lie in different banks. A CTA of 32 x 8 threads moves a tile of 32 x 32 words.
#include "../../tests/kernels/cuda.h"

#define TILE 32
#define ROWS 8

extern "C" __global__ void naive(const int *in, int *out, int n) {
    int x = blockIdx_x * TILE + threadIdx_x, y = blockIdx_y * TILE + threadIdx_y;
    for (int row = 0; row < TILE; row += ROWS)
        out[x * n + y + row] = in[(y + row) * n + x];
}

template <int WIDTH> __device__ inline void through(int (*tile)[WIDTH], const int *in, int *out, int n) {
    int x = blockIdx_x * TILE + threadIdx_x, y = blockIdx_y * TILE + threadIdx_y;
    for (int row = 0; row < TILE; row += ROWS)
        tile[threadIdx_y + row][threadIdx_x] = in[(y + row) * n + x];
    __syncthreads();
    x = blockIdx_y * TILE + threadIdx_x;
    y = blockIdx_x * TILE + threadIdx_y;
    for (int row = 0; row < TILE; row += ROWS)
        out[(y + row) * n + x] = tile[threadIdx_x][threadIdx_y + row];
}

extern "C" __global__ void tiled(const int *in, int *out, int n) {
    __shared__ int tile[TILE][TILE];
    through(tile, in, out, n);
}

extern "C" __global__ void padded(const int *in, int *out, int n) {
    __shared__ int tile[TILE][TILE + 1];
    through(tile, in, out, n);
}

// Counts the words that are not where they belong.
extern "C" __global__ void check(const int *in, const int *out, int n, int *wrong) {
    int x = blockIdx_x * TILE + threadIdx_x, y = blockIdx_y * TILE + threadIdx_y;
    for (int row = 0; row < TILE; row += ROWS)
        if (out[x * n + y + row] != in[(y + row) * n + x])
            atomic_add(wrong, 1);
}
