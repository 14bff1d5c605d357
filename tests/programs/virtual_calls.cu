// Objects with virtual functions, a table of function pointers, and recursion.
#include "../kernels/cuda.h"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    float side;
    __device__ Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
    float radius;
    __device__ Circle(float radius) : radius(radius) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

NOINLINE __device__ float measure(const Shape *shape) { return shape->area() + shape->corners(); }

extern "C" __global__ void areas(const float *sizes, float *out) {
    int at = threadIdx_x;
    Square square(sizes[at]);
    Circle circle(sizes[at]);
    const Shape *shape = at % 3 == 0 ? (const Shape *)&square : (const Shape *)&circle;
    out[at] = measure(shape);
}

typedef int (*Operation)(int, int);
NOINLINE __device__ int add(int a, int b) { return a + b; }
NOINLINE __device__ int multiply(int a, int b) { return a * b; }
NOINLINE __device__ int power(int a, int b) { return b == 0 ? 1 : a * power(a, b - 1); }
__device__ Operation table[3] = {add, multiply, power};

extern "C" __global__ void apply(const int *which, const int *a, const int *b, int *out) {
    int at = threadIdx_x;
    out[at] = table[which[at]](a[at], b[at]);
}
