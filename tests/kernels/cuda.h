// The little of CUDA that these kernels use, so that clang needs no CUDA installation.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))

#define threadIdx_x __nvvm_read_ptx_sreg_tid_x()
#define threadIdx_y __nvvm_read_ptx_sreg_tid_y()
#define blockIdx_x __nvvm_read_ptx_sreg_ctaid_x()
#define blockIdx_y __nvvm_read_ptx_sreg_ctaid_y()
#define blockDim_x __nvvm_read_ptx_sreg_ntid_x()
#define blockDim_y __nvvm_read_ptx_sreg_ntid_y()
#define gridDim_x __nvvm_read_ptx_sreg_nctaid_x()

__device__ inline void __threadfence() { __nvvm_membar_gl(); }
__device__ inline int atomic_add(int *at, int value) { return __nvvm_atom_add_gen_i(at, value); }
__device__ inline int atomic_cas(int *at, int old, int value) { return __nvvm_atom_cas_gen_i(at, old, value); }
__device__ inline int atomic_exchange(int *at, int value) { return __nvvm_atom_xchg_gen_i(at, value); }
__device__ inline int atomic_min(int *at, int value) { return __nvvm_atom_min_gen_i(at, value); }
__device__ inline float shuffle_down(float value, int lanes) {
    return __nvvm_shfl_sync_down_f32(0xffffffff, value, lanes, 31);
}
__device__ inline int shuffle_up(int value, int lanes) {
    return __nvvm_shfl_sync_up_i32(0xffffffff, value, lanes, 0);
}

// A transaction. To clang these are calls of functions that it does not know: they may read and write all of
// memory, so no load or store of memory that others can see moves across; being convergent, they are not
// duplicated or put under another condition. What is kept in registers may move, which nobody sees: registers
// are restored when the transaction aborts. So pointers to what transactions change must not be __restrict__.
extern "C" __device__ __attribute__((convergent)) void __tx_begin();
extern "C" __device__ __attribute__((convergent)) void __tx_commit();

// Does what is in braces under a lock. A lane that holds one releases it within the same turn of the loop: lanes of a
// warp must not wait for each other. Volatile, or clang moves what is done under the lock behind the loop.
#define LOCKED(lock, ...)                                                                                            \
    for (volatile bool done = false; !done;) {                                                                       \
        if (atomic_cas(&(lock), 0, 1) == 0) {                                                                        \
            __VA_ARGS__                                                                                              \
            __threadfence();                                                                                         \
            atomic_exchange(&(lock), 0);                                                                             \
            done = true;                                                                                             \
        }                                                                                                            \
    }

// The same under two different locks, taken in their order (thesis, figure 4.1).
#define LOCKED_BOTH(locks, a, b, ...)                                                                                \
    for (volatile bool done = false; !done;) {                                                                       \
        int first = (a) < (b) ? (a) : (b), second = (a) < (b) ? (b) : (a);                                           \
        if (atomic_cas(&(locks)[first], 0, 1) == 0) {                                                                \
            if (atomic_cas(&(locks)[second], 0, 1) == 0) {                                                           \
                __VA_ARGS__                                                                                          \
                __threadfence();                                                                                     \
                atomic_exchange(&(locks)[second], 0);                                                                \
                done = true;                                                                                         \
            }                                                                                                        \
            atomic_exchange(&(locks)[first], 0);                                                                     \
        }                                                                                                            \
    }
