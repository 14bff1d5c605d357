// The C interface of a Verilated model. One clock is one call: crossing the language boundary per
// port would cost more than evaluating a small block.
//
// The generated warpsmith_ports.h defines build_key, loop_places, evaluate, and put_inputs, take_outputs
// and put_clock in terms of put and take below.

#include "Vmodel.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>

// The part of Vmodel::eval that evaluates; `evaluate` calls it if this version of Verilator has it.
void Vmodel___024root___eval(Vmodel___024root*);

namespace {

// Inputs are masked because Verilator relies on the bits above a port's width being zero.
template <unsigned Width, typename Port>
inline void put(Port& port, const std::uint64_t* words) {
    port = static_cast<Port>(words[0] & (~std::uint64_t{0} >> (64 - Width)));
}

template <unsigned Width, std::size_t Halves>
inline void put(VlWide<Halves>& port, const std::uint64_t* words) {
    for (std::size_t i = 0; i < Halves; ++i) {
        port.at(i) = static_cast<EData>(words[i / 2] >> (32 * (i % 2)));
    }
    port.at(Halves - 1) &= ~std::uint32_t{0} >> (32 * Halves - Width);
}

template <unsigned Width, typename Port>
inline void take(const Port& port, std::uint64_t* words) {
    words[0] = port;
}

template <unsigned Width, std::size_t Halves>
inline void take(const VlWide<Halves>& port, std::uint64_t* words) {
    for (std::size_t i = 0; i < Halves; i += 2) {
        const std::uint64_t high = i + 1 < Halves ? port.at(i + 1) : 0;
        words[i / 2] = high << 32 | port.at(i);
    }
}

#include "warpsmith_ports.h"

// Unwinds out of an evaluation that cannot go on.
struct Stop final {};

struct Simulation final : VerilatedContext {
    std::unique_ptr<Vmodel> model;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> waves;
    std::string waves_path;
#endif
    std::string message;
    bool stopped = false;
    bool begun = false;
    bool muted = false;
    // From power-up on registers are noise, whatever a check says of them. Initial blocks count, since they are
    // about parameters; `$error` and the like count again from the end of the reset on, and assertions one clock
    // later: that clock's `$past` is noise still.
    enum class Checks { initial, none, calls, all } checks = Checks::all;
    bool asserts = true;
    std::uint64_t reset_clocks = 1;

    void check(Checks now) {
        if (now == Checks::none) asserts = assertOn();
        checks = now;
        assertOn(now == Checks::none || now == Checks::calls ? false : asserts);
        errorLimit(muted || now == Checks::none ? 0 : 1);
    }

    bool is_noise() const { return checks == Checks::none; }

    void count_reset() {
        if (checks == Checks::none && time() >= 2 * reset_clocks) check(Checks::calls);
        if (checks == Checks::calls && time() > 2 * reset_clocks) check(Checks::all);
    }

    void stop(const char* file, int line, const std::string& what) {
        if (stopped) return;  // The first reason is the one that explains the others.
        stopped = true;
        if (file && *file) message = std::string{file} + ":" + std::to_string(line) + ": ";
        message += what;
    }

    void dump() {
#if VM_TRACE
        if (waves) waves->dump(time());
#endif
        timeInc(1);
    }
};

// Verilator's hooks name no model, but the thread has a context, and only simulations have these.
Simulation& current() { return *static_cast<Simulation*>(Verilated::threadContextp()); }

// Runs `body` for a simulation. No exception leaves: it would have to cross foreign frames.
template <typename Body>
bool run(Simulation& simulation, Body body) {
    // Setting the context writes a variable that all threads share, so it is set only on a change.
    if (Verilated::threadContextp() != &simulation) Verilated::threadContextp(&simulation);
    try {
        body();
    } catch (const Stop&) {
    } catch (const std::exception& error) {
        simulation.stop(nullptr, 0, error.what());
    } catch (...) {
        simulation.stop(nullptr, 0, "unknown C++ exception");
    }
    return !simulation.stopped;
}

// Turns of all loops of the Verilog within a clock, and how many of them are taken for one loop that
// never ends: more than any memory has rows, and a fraction of a second.
thread_local std::uint64_t turns;
constexpr std::uint64_t most_turns = std::uint64_t{1} << 26;

// Creating a model reseeds the generator of every thread in this library, so two creations at the
// same time would disturb each other's initial values.
std::mutex creation;

void open_waves(Simulation& simulation) {
#if VM_TRACE
    simulation.waves = std::make_unique<VerilatedFstC>();
    simulation.model->trace(simulation.waves.get(), 99);
    simulation.waves->open(simulation.waves_path.c_str());
#endif
}

// A new model in a simulation. Registers and memories are all zeros, all ones, or noise, as the seed says:
// what a wrong reset leaves behind is a likely value then.
void make_model(Simulation& simulation, std::uint64_t seed) {
    const std::lock_guard<std::mutex> lock{creation};
    const int manner = static_cast<int>((seed >> 32) % 4);
    simulation.randReset(manner < 2 ? manner : 2);
    simulation.randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);  // 0 has a meaning of its own.
    simulation.traceEverOn(VM_TRACE);
    turns = 0;
    run(simulation, [&] {
        simulation.model = std::make_unique<Vmodel>(&simulation, "TOP");
        simulation.begun = false;
        simulation.check(Simulation::Checks::initial);
    });
}

}  // namespace

// A turn of a loop in the Verilog; loops.h puts a call before the condition of each.
bool warpsmith_turn() {
    if (++turns > most_turns) {
        current().stop(nullptr, 0, std::string{"a loop does not end"} + loop_places);
        throw Stop{};
    }
    return true;
}

// Between the initial blocks and the first evaluation of everything else; `build.rs` puts the call there.
void warpsmith_initialised() { current().check(Simulation::Checks::none); }

// The hooks below replace Verilator's own, which print and end the process.

void vl_finish(const char* file, int line, const char*) {
    if (current().is_noise()) return;
    current().stop(file, line, "$finish");  // The time step still completes, as Verilog demands.
}

void vl_stop(const char* file, int line, const char*) {
    if (current().is_noise()) return;
    current().stop(file, line, "$stop, $error, $fatal or a failed assertion");
    throw Stop{};
}

void vl_fatal(const char* file, int line, const char*, const char* message) {
    const std::string what{message};
    const bool loop = what.find("did not converge") != std::string::npos;
    current().stop(file, line, loop ? "a combinational loop does not settle: " + what : what);
    throw Stop{};
}

// Verilator goes on with a memory full of noise where a file is missing.
void vl_warn(const char* file, int line, const char*, const char* message) {
    const std::string what{message};
    if (what.find("file not found") != std::string::npos) {
        current().stop(nullptr, 0, "$readmem finds no file " + std::string{file});
        throw Stop{};
    }
    VL_PRINTF("%%Warning: %s:%d: %s\n", file, line, message);
}

#define WARPSMITH_API extern "C" __attribute__((visibility("default")))

WARPSMITH_API const char* warpsmith_key() { return build_key; }

WARPSMITH_API Simulation* warpsmith_new() try {
    auto simulation = std::make_unique<Simulation>();
    make_model(*simulation, std::uint64_t{2} << 32);  // The same noise in every run.
    return simulation.release();
} catch (...) {
    return nullptr;
}

// Takes the simulation back to its start, with other values in registers and memories. Waves that
// have begun cannot begin again, so the simulation then stays as it is.
WARPSMITH_API void warpsmith_power_up(Simulation* simulation, std::uint64_t seed) {
#if VM_TRACE
    if (simulation->waves && simulation->time() != 0) return;
    const bool waves = simulation->waves != nullptr;
#else
    const bool waves = false;
#endif
    run(*simulation, [=] {
#if VM_TRACE
        simulation->waves.reset();
#endif
        simulation->model.reset();
    });
    simulation->stopped = false;
    simulation->message.clear();
    simulation->time(0);
    simulation->gotFinish(false);
    make_model(*simulation, seed);
    if (waves) run(*simulation, [=] { open_waves(*simulation); });
}

WARPSMITH_API void warpsmith_delete(Simulation* simulation) {
    run(*simulation, [&] {
        if (simulation->model) simulation->model->final();
    });
    run(*simulation, [&] {
#if VM_TRACE
        simulation->waves.reset();
#endif
        simulation->model.reset();
    });
    delete simulation;
}

WARPSMITH_API bool warpsmith_clock(Simulation* simulation, const std::uint64_t* inputs,
                                   std::uint64_t* outputs) {
    if (simulation->stopped) return false;
    if (loop_places[0]) turns = 0;  // Slow to reach, and of use only where there are loops.
    return run(*simulation, [=] {
        Vmodel& model = *simulation->model;
        put_clock(model, 0);
        put_inputs(model, inputs);
        if (simulation->begun) {
            evaluate(model);
        } else {
            model.eval();  // Runs initial blocks too.
            simulation->begun = true;
            if (simulation->checks == Simulation::Checks::initial) warpsmith_initialised();
        }
        take_outputs(model, outputs);
        simulation->dump();
        put_clock(model, 1);
        evaluate(model);
        simulation->dump();
        if (simulation->checks != Simulation::Checks::all) simulation->count_reset();
    });
}

WARPSMITH_API const char* warpsmith_stopped(const Simulation* simulation) {
    return simulation->stopped ? simulation->message.c_str() : nullptr;
}

// From here on the model prints nothing: see VL_PRINTF among the compiler's flags.
WARPSMITH_API void warpsmith_mute(Simulation* simulation) {
    simulation->muted = true;
    simulation->errorLimit(0);
}

// The clocks of the reset after power-up.
WARPSMITH_API void warpsmith_reset_clocks(Simulation* simulation, std::uint64_t clocks) {
    simulation->reset_clocks = clocks;
}

// False when the model has no waves or the file cannot be opened.
WARPSMITH_API bool warpsmith_open_waves(Simulation* simulation, const char* path) {
#if VM_TRACE
    if (!simulation->model) return false;
    simulation->waves_path = path;
    run(*simulation, [=] { open_waves(*simulation); });
    if (simulation->waves && simulation->waves->isOpen()) return true;
    simulation->waves.reset();
#endif
    return false;
}

WARPSMITH_API void warpsmith_close_waves(Simulation* simulation) {
#if VM_TRACE
    run(*simulation, [=] { simulation->waves.reset(); });
#endif
}
