// A sparse matrix times a vector; a thread for each row.
#include "cuda.h"

extern "C" __global__ void spmv(const int *first, const int *column, const float *value,
                                const float *x, float *y, int rows) {
    int row = blockIdx_x * blockDim_x + threadIdx_x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int e = first[row]; e < first[row + 1]; e++)
        sum += value[e] * x[column[e]];
    y[row] = sum;
}
