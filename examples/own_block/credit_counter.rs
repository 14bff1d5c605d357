//! A credit counter: a sender may fill a slot of a buffer if it has the slot's credit.

use warpsmith_blocks::kit::*;

parameters! {
    /// Parameters of the credit counter.
    pub struct Params {
        credits: u32, "slots of the buffer, each with a credit", range(2, 256);
    }
    presets: tiny { credits: 3 }, fpga { credits: 16 }, paper { credits: 64 }
}

payload! {
    /// A payload of `grant`.
    pub struct Grant(p: &Params) {
        slot: u64 [address_bits(p.credits)] "the slot that may be filled";
    }
}

channels! { |p|
    GRANT = Channel::output("grant", Grant::fields(p), "credits; the slots take turns");
    RETURN = Channel::input("return", Fields::new(), "the oldest credit comes back").valid_only();
    ERROR = Channel::error(1, "0 no credit is out", "returns that change nothing");
}

rules! {
    WITHIN_LIMIT "within_limit": "no more credits are out than there are", "docs/adding-a-block.md";
    NONE_WITHHELD "none_withheld": "a free credit is offered in the next clock", "docs/adding-a-block.md";
    ERROR_AS_DUE "error_as_due": "a return raises error if no credit is out", "docs/adding-a-block.md";
}

corners! {
    ALL_OUT "every credit is out",
    BOTH "a grant and a return in one clock",
    NONE_OUT "a return while no credit is out",
}

/// The specification.
struct CreditCounter {
    credits: u64,
    granted: u64,
    returned: u64,
}

impl Reference for CreditCounter {
    fn accept(&mut self, _: usize, _: &[u64], outcome: &mut Outcome<'_>) {
        match self.returned < self.granted {
            true => self.returned += 1,
            false => outcome.sink.expect(ERROR, &[0]),
        }
    }

    // When a credit is granted is left to the circuit, and to the rules.
    fn taken(&mut self, channel: usize, _: &[u64], outcome: &mut Outcome<'_>) {
        if channel == GRANT && self.granted - self.returned < self.credits {
            outcome.sink.expect(GRANT, &Grant { slot: self.granted % self.credits }.encode());
            self.granted += 1;
        }
    }

    fn state(&self) -> Vec<String> {
        vec![format!("{} credits granted, {} returned", self.granted, self.returned)]
    }
}

fn circuit(p: &Params) -> Module {
    let m = ModuleBuilder::new("credit_counter");
    describe(&m, "Credit counter: a credit for each slot of a buffer.", p);
    let (returned, _) = valid_only_input(&m, &channels(p)[RETURN]);
    let out = m.reg("out", address_bits(p.credits + 1), 0).doc("Credits that are out.");
    let slot = m.reg("slot", address_bits(p.credits), 0).doc("The slot of the next credit.");
    let offered = m.reg("offered", 1, 0).doc("A credit is free.");
    let payload = Record::new(&Grant::fields(p), vec![*slot]);
    let grant = Stream { valid: *offered, payload, ready: m.wire("ready", 1) };

    let [more, less] =
        [grant.fires(), returned & out.any()].map(|bit| bit.zero_extend(out.width()));
    let out_next = (*out + more - less).named("out_next");
    out.set(out_next);
    offered.set(out_next.ne(p.credits));
    m.when(grant.fires(), || slot.set(slot.ne(p.credits - 1).mux(*slot + 1, 0)));
    grant.output(&m, "grant");
    raise_errors(&m, &channels(p)[ERROR], "a return", &[returned, !out.any()], m.lit(1, 0));
    m.finish()
}

fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    Ok(Properties::new(&BLOCK, "The contract of credit_counter.", inside, |m, probes| {
        let [grant, back, error] = Watched::all(m, p);
        let free = m.reg("free", address_bits(p.credits + 1), p.credits.into());
        let none_out = back.fires() & free.eq(p.credits);
        let [more, less] =
            [back.fires() & !none_out, grant.fires()].map(|bit| bit.zero_extend(free.width()));
        free.set(*free + more - less);
        let waits = last_clock(m, "waits", free.any() & !grant.valid);
        let error_due = last_clock(m, "error_due", none_out);

        WITHIN_LIMIT.assert(m, !grant.valid | free.any());
        NONE_WITHHELD.assert(m, !waits | grant.valid);
        ERROR_AS_DUE.assert(m, error.valid.eq(error_due));
        cover(m, p, ALL_OUT, !free.any());
        cover(m, p, BOTH, grant.fires() & back.fires());
        cover(m, p, NONE_OUT, none_out);
        if let Some(probes) = probes {
            let out = probes.signal(m, "out", free.width());
            invariant(m, "counted", (out + *free).eq(p.credits), "Each credit is free or out.");
        }
    }))
}

block! {
    "credit_counter", "credits for the slots of a buffer", "none: docs/adding-a-block.md";

    fn reference(&self, _: &[u64]) -> Box<dyn Reference> {
        Box::new(CreditCounter { credits: self.credits.into(), granted: 0, returned: 0 })
    }

    fn stimulus(&self, _: &[u64], _: usize) -> Box<dyn Stimulus> {
        Box::new(|_: usize, rng: &mut StimulusRng, _: &mut [u64]| rng.random())
    }
}
