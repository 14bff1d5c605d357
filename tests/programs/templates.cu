// Templates with functors and structures by value, as in thrust and cub.
#include "../kernels/cuda.h"

template <typename T> struct Plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Greatest {
    __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename T> struct Scaled {
    T factor;
    short shift;
    __device__ T operator()(T value) const { return value * factor + T(shift); }
};

// Every block reduces its part in shared memory.
template <typename T, int THREADS, typename Map, typename Op>
__device__ void reduce(const T *in, T *out, int count, Map map, Op op, T first) {
    __shared__ T part[THREADS];
    T own = first;
    for (int at = blockIdx_x * THREADS + threadIdx_x; at < count; at += gridDim_x * THREADS)
        own = op(own, map(in[at]));
    part[threadIdx_x] = own;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx_x < half)
            part[threadIdx_x] = op(part[threadIdx_x], part[threadIdx_x + half]);
        __syncthreads();
    }
    if (threadIdx_x == 0)
        out[blockIdx_x] = part[0];
}

extern "C" __global__ void sum_of_ints(const int *in, int *out, int count, Scaled<int> map, Plus<int> op) {
    reduce<int, 128>(in, out, count, map, op, 0);
}
extern "C" __global__ void greatest_double(const double *in, double *out, int count, Scaled<double> map) {
    reduce<double, 64>(in, out, count, map, Greatest<double>(), -1e300);
}
