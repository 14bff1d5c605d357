// Aligns two sequences of up to 1024 letters: one CTA walks along the diagonals of the score
// matrix, which has (n + 1) rows and columns.
#include "cuda.h"

extern "C" __global__ void needleman_wunsch(const unsigned char *a, const unsigned char *b,
                                            int *score, int n, int penalty) {
    int t = threadIdx_x, pitch = n + 1;
    for (int i = t; i <= n; i += blockDim_x) {
        score[i] = -i * penalty;
        score[i * pitch] = -i * penalty;
    }
    __syncthreads();
    for (int diagonal = 2; diagonal <= 2 * n; diagonal++) {
        int row = t + 1, column = diagonal - row;
        if (row <= n && column >= 1 && column <= n) {
            int *here = score + row * pitch + column;
            int match = here[-pitch - 1] + (a[row - 1] == b[column - 1] ? 3 : -1);
            int gap = (here[-1] > here[-pitch] ? here[-1] : here[-pitch]) - penalty;
            *here = match > gap ? match : gap;
        }
        __syncthreads();
    }
}
