// Aligns two sequences: one diagonal of blocks of 16 x 16 of the score matrix, which has n + 1 columns, as Rodinia's.
#include "cuda.h"

#define SIDE 16

extern "C" __global__ void nw(const int *similarity, int *score, int n, int penalty, int diagonal,
                              int first) {
    __shared__ int tile[SIDE + 1][SIDE + 1], same[SIDE][SIDE];
    int t = threadIdx_x, pitch = n + 1, column = first + blockIdx_x, row = diagonal - column;
    int *corner = score + row * SIDE * pitch + column * SIDE;
    for (int i = 0; i < SIDE; i++)
        same[i][t] = similarity[(row * SIDE + i) * n + column * SIDE + t];
    if (t == 0)
        tile[0][0] = corner[0];
    tile[0][t + 1] = corner[t + 1];
    tile[t + 1][0] = corner[(t + 1) * pitch];
    __syncthreads();
    for (int step = 0; step < 2 * SIDE - 1; step++) {
        int i = step - t;
        if (i >= 0 && i < SIDE) {
            int match = tile[i][t] + same[i][t];
            int gap = (tile[i][t + 1] > tile[i + 1][t] ? tile[i][t + 1] : tile[i + 1][t]) - penalty;
            tile[i + 1][t + 1] = match > gap ? match : gap;
        }
        __syncthreads();
    }
    for (int i = 0; i < SIDE; i++)
        corner[(i + 1) * pitch + t + 1] = tile[i + 1][t + 1];
}
