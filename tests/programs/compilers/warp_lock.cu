// Lanes of a warp take a lock one after the other: those that wait give way to the one that has it.
extern "C" __global__ void warp_lock(int *lock, int *count) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + 1;
    __threadfence();
    atomicExch(lock, 0);
}
