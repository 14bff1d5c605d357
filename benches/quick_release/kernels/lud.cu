// LU decomposition in place, in blocks of 16 x 16, as Rodinia's: the block on the diagonal, those beside and below
// it, then all others. A line of 128 bytes has rows of two blocks.
#include "cuda.h"

#define SIDE 16

extern "C" __global__ void lud_diagonal(float *matrix, int n, int begin) {
    float *block = matrix + begin * n + begin;
    int t = threadIdx_x;
    for (int i = 0; i < SIDE - 1; i++) {
        if (t > i) {
            for (int k = 0; k < i; k++)
                block[t * n + i] -= block[t * n + k] * block[k * n + i];
            block[t * n + i] /= block[i * n + i];
        }
        __syncthreads();
        if (t > i)
            for (int k = 0; k <= i; k++)
                block[(i + 1) * n + t] -= block[(i + 1) * n + k] * block[k * n + t];
        __syncthreads();
    }
}

// Sixteen threads solve for a block in the rows of the diagonal one, sixteen for one in its columns.
extern "C" __global__ void lud_perimeter(float *matrix, int n, int begin) {
    float *diagonal = matrix + begin * n + begin;
    int t = threadIdx_x % SIDE, away = (blockIdx_x + 1) * SIDE;
    if (threadIdx_x < SIDE) {
        float *block = diagonal + away;
        for (int i = 1; i < SIDE; i++)
            for (int k = 0; k < i; k++)
                block[i * n + t] -= diagonal[i * n + k] * block[k * n + t];
    } else {
        float *block = diagonal + away * n;
        for (int i = 0; i < SIDE; i++) {
            for (int k = 0; k < i; k++)
                block[t * n + i] -= block[t * n + k] * diagonal[k * n + i];
            block[t * n + i] /= diagonal[i * n + i];
        }
    }
}

extern "C" __global__ void lud_internal(float *matrix, int n, int begin) {
    int row = begin + (blockIdx_y + 1) * SIDE + threadIdx_y;
    int column = begin + (blockIdx_x + 1) * SIDE + threadIdx_x;
    float sum = 0;
    for (int k = begin; k < begin + SIDE; k++)
        sum += matrix[row * n + k] * matrix[k * n + column];
    matrix[row * n + column] -= sum;
}
