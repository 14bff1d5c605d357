// Insertion of bodies into an octree (BH). Children of cell c are at 8 c; a child is 0, a body b as -(b + 1), or a
// cell. Cell 0 is the root; each thread has POOL cells of its own, from number 1 on.
#include "cuda.h"

#define POOL 16
#define LEVELS 16

// Which child a body belongs to, at a level: a bit of each coordinate.
__device__ inline int child_at(const int *bodies, int body, int level) {
    int shift = LEVELS - 1 - level;
    return bodies[3 * body] >> shift & 1 | (bodies[3 * body + 1] >> shift & 1) << 1 |
           (bodies[3 * body + 2] >> shift & 1) << 2;
}

// Replaces the body `other` in a child by cells until the two are apart; gives the first.
__device__ inline int split(const int *bodies, volatile int *children, int body, int other, int level, int next) {
    int first = next;
    while (level < LEVELS) {
        int mine = child_at(bodies, body, level), its = child_at(bodies, other, level);
        if (mine != its) {
            children[8 * next + mine] = -(body + 1);
            children[8 * next + its] = -(other + 1);
            break;
        }
        children[8 * next + mine] = next + 1;
        next++;
        level++;
    }
    return first;
}

extern "C" __global__ void octree_tx(const int *bodies, volatile int *children, int n) {
    int body = blockIdx_x * blockDim_x + threadIdx_x;
    if (body >= n)
        return;
    int cell = 0, level = 0;
    volatile bool done = false;
    while (!done) {
        int at = 8 * cell + child_at(bodies, body, level);
        int child = children[at];
        if (child > 0) {
            cell = child;
            level++;
        } else {
            // It may be another by now.
            __tx_begin();
            child = children[at];
            if (child == 0)
                children[at] = -(body + 1);
            else if (child < 0)
                children[at] = split(bodies, children, body, -child - 1, level + 1, 1 + body * POOL);
            __tx_commit();
            if (child <= 0)
                done = true;
        }
    }
}

#define LOCK (-2147483647 - 1)

extern "C" __global__ void octree_lock(const int *bodies, volatile int *children, int n) {
    int body = blockIdx_x * blockDim_x + threadIdx_x;
    if (body >= n)
        return;
    int cell = 0, level = 0;
    volatile bool done = false;
    while (!done) {
        int at = 8 * cell + child_at(bodies, body, level);
        int child = children[at];
        if (child > 0) {
            cell = child;
            level++;
        } else if (child != LOCK && atomic_cas((int *)&children[at], child, LOCK) == child) {
            int mine = -(body + 1);
            if (child < 0)
                mine = split(bodies, children, body, -child - 1, level + 1, 1 + body * POOL);
            __threadfence();
            children[at] = mine;
            done = true;
        }
    }
}
