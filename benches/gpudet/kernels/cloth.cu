// A cloth (CL, CLopt): forces of its springs, added up under locks, then a step of each point. Points are dealt to threads
// in blocks, or interleaved, which coalesces their accesses (section 5.1).
#include "../../../src/gpu/workloads/kernels/cloth.cu"

__device__ inline void move(int *now, int *before, int *forces) {
    int speed = *now - *before + (*forces >> 6);
    *before = *now;
    *now += speed;
    *forces = 0;
}

// Positions, those of the step before, and forces are of 4 words a point.
extern "C" __global__ void cloth_move(int *now, int *before, int *forces, int words, int each, int is_interleaved) {
    int i = blockIdx_x * blockDim_x + threadIdx_x, threads = gridDim_x * blockDim_x;
    for (int k = 0; k < each; k++) {
        int word = is_interleaved ? k * threads + i : i * each + k;
        if (word < words)
            move(now + word, before + word, forces + word);
    }
}
