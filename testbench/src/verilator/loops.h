// Counts the turns of the loops that Verilator makes of `while`, `for`, `repeat` and `forever`, so
// that one without an end is found: nothing else can stop it. Included before the generated files,
// and after the headers that they share, which keep their loops as they are.

#include "Vmodel__Syms.h"

bool warpsmith_turn();

#define while(...) while (warpsmith_turn() && (__VA_ARGS__))
