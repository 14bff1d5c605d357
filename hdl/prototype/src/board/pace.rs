//! When the block is offered something and when its answers are taken.

use rust_hdl::prelude::*;

/// Brings the host's commands to the block's clock, and stalls.
#[derive(LogicBlock, Default)]
pub struct Pace {
    /// The block's clock.
    pub clock: Signal<In, Clock>,
    /// The host lets the block run.
    pub cross_run: Signal<In, Bit>,
    /// The host resets the block.
    pub cross_restart: Signal<In, Bit>,
    /// The host clears the log.
    pub cross_clear: Signal<In, Bit>,
    /// Of 256 clocks so many without new offers; stays while running.
    pub cross_input_stalls: Signal<In, Bits<8>>,
    /// Of 256 clocks so many in which no answer is taken; stays while running.
    pub cross_output_stalls: Signal<In, Bits<8>>,
    /// Where the random numbers begin at a restart, not 0; stays while running.
    pub cross_seed: Signal<In, Bits<16>>,
    /// A transfer happens.
    pub happens: Signal<In, Bit>,
    /// The log has room for few more.
    pub is_filling: Signal<In, Bit>,
    /// Reset of the block.
    pub restart: Signal<Out, Bit>,
    /// The log is cleared.
    pub clear: Signal<Out, Bit>,
    /// New offers may be made.
    pub offers: Signal<Out, Bit>,
    /// Answers are taken.
    pub takes: Signal<Out, Bit>,
    /// Nothing has happened for 2048 clocks.
    pub quiet: Signal<Out, Bit>,
    run: BitSynchronizer,
    restarts: BitSynchronizer,
    clears: BitSynchronizer,
    random: DFF<Bits<16>>,
    shifted: Signal<Local, Bits<16>>,
    runs: Signal<Local, Bit>,
    taking: DFF<Bit>,
    silence: DFF<Bits<12>>,
}

impl Logic for Pace {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, random, taking, silence);
        clock!(self, clock, run, restarts, clears);
        self.run.sig_in.next = self.cross_run.val();
        self.restarts.sig_in.next = self.cross_restart.val();
        self.clears.sig_in.next = self.cross_clear.val();
        self.restart.next = self.restarts.sig_out.val();
        self.clear.next = self.clears.sig_out.val();
        self.runs.next = self.run.sig_out.val() && !self.is_filling.val();

        // A Galois LFSR of x^16 + x^14 + x^13 + x^11 + 1.
        self.shifted.next = self.random.q.val() >> 1;
        self.random.d.next = self.shifted.val();
        if self.random.q.val().get_bit(0) {
            self.random.d.next = self.shifted.val() ^ 0xB400;
        }
        self.offers.next = self.runs.val()
            && (self.random.q.val().get_bits::<8>(0) >= self.cross_input_stalls.val());
        self.taking.d.next = self.runs.val()
            && (self.random.q.val().get_bits::<8>(8) >= self.cross_output_stalls.val());
        self.takes.next = self.taking.q.val();

        self.quiet.next = self.silence.q.val().get_bit(11);
        if !self.silence.q.val().get_bit(11) {
            self.silence.d.next = self.silence.q.val() + 1;
        }
        if self.happens.val() || !self.run.sig_out.val() {
            self.silence.d.next = 0.into();
        }
        if self.restarts.sig_out.val() {
            self.random.d.next = self.cross_seed.val();
        }
    }
}
