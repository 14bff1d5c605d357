// Half precision, alone and in pairs, as cuda_fp16.h has it: classes around inline PTX.
#include "../kernels/cuda.h"

struct half {
    unsigned short bits;
    __device__ half() {}
    __device__ half(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    __device__ operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
__device__ inline half fma(half a, half b, half c) {
    half result;
    asm("{fma.rn.f16 %0, %1, %2, %3;}" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return result;
}

struct half2 {
    unsigned bits;
};
__device__ inline half2 fma(half2 a, half2 b, half2 c) {
    half2 result;
    asm("{fma.rn.f16x2 %0, %1, %2, %3;}" : "=r"(result.bits) : "r"(a.bits), "r"(b.bits), "r"(c.bits));
    return result;
}
__device__ inline float sum(half2 value) {
    half low, high;
    asm("{mov.b32 {%0, %1}, %2;}" : "=h"(low.bits), "=h"(high.bits) : "r"(value.bits));
    return (float)low + (float)high;
}

extern "C" __global__ void axpy(const half *x, half *y, half a, int count) {
    int at = blockIdx_x * blockDim_x + threadIdx_x;
    if (at < count)
        y[at] = fma(a, x[at], y[at]);
}

extern "C" __global__ void dot(const half2 *x, const half2 *y, float *out, int count) {
    half2 all = {0};
    for (int at = threadIdx_x; at < count; at += 32)
        all = fma(x[at], y[at], all);
    float own = sum(all);
    for (int lanes = 16; lanes > 0; lanes /= 2)
        own += shuffle_down(own, lanes);
    if (threadIdx_x == 0)
        *out = own;
}
