// The potential of point charges on a plane of a grid (CP). Charges are read from global memory: in CP they are constants
// of 4,000 atoms, which every lane reads alike.
#include "cuda.h"

struct alignas(16) Atom {
    float x, y, z, charge;
};

extern "C" __global__ void coulomb(const Atom *atoms, float *potential, int count, int width, float step) {
    int column = blockIdx_x * blockDim_x + threadIdx_x, row = blockIdx_y * blockDim_y + threadIdx_y;
    float x = step * column, y = step * row, sum = 0;
    for (int k = 0; k < count; k++) {
        Atom atom = atoms[k];
        float dx = x - atom.x, dy = y - atom.y;
        sum += atom.charge * __nvvm_rsqrt_approx_f(dx * dx + dy * dy + atom.z * atom.z);
    }
    potential[row * width + column] += sum;
}
