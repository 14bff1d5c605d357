// Device functions that are not inlined: recursion that differs from lane to lane, a structure by
// value and back, an array on the stack, and printf.
#include "cuda.h"

extern "C" __device__ int vprintf(const char *format, const char *arguments);

struct Pair {
    int quotient, remainder;
    long long sum;
};

NOINLINE __device__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

NOINLINE __device__ Pair divide(Pair by, int n) {
    return {n / by.quotient, n % by.quotient, by.sum + n};
}

NOINLINE __device__ int digits(int n, int *into) {
    int count = 0;
    do
        into[count++] = n % 10;
    while (n /= 10);
    return count;
}

extern "C" __global__ void calls(const int *in, int *out, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int value = in[i];
    int stack[12];
    int count = digits(value, stack), sum = 0;
    for (int k = 0; k < count; k++)
        sum += stack[k];
    Pair pair = divide({i + 1, 0, value}, value);
    out[4 * i] = fibonacci(value % 8);
    out[4 * i + 1] = sum;
    out[4 * i + 2] = pair.quotient * 1000 + pair.remainder;
    out[4 * i + 3] = (int)pair.sum;
    if (i % 40 == 0) {
        struct { int i, value; double half; } arguments = {i, value, value * 0.5};
        vprintf("thread %d: %d, half %.1f\n", (const char *)&arguments);
    }
}
