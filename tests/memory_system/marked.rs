//! A system with transactions, and with whatever else a system may bring.

use warpsmith::gpu::config::Config;
use warpsmith::gpu::memory::{
    CtaSource, Done, Event, IssuePolicy, MemorySystem, Operation, Shared, System, Traffic,
    TransactionCounts, Transactions,
};

use super::dealer::Dealer;
use super::one_transaction::OneTransaction;
use super::quanta::Quanta;
use super::uncached;

/// The uncached system with transactions, of which it aborts random lanes, and with what else a system may bring.
#[derive(Debug)]
pub struct Marked {
    pub memory: Box<dyn MemorySystem>,
    pub begins: u64,
    pub aborted_lanes: u64,
    pub one: Option<OneTransaction>,
    pub quanta: Option<Quanta>,
    pub dealer: Option<Dealer>,
}

impl Marked {
    pub fn new(config: &Config) -> Self {
        let memory = (uncached::UNCACHED.make)(config);
        Self { memory, begins: 0, aborted_lanes: 0, one: None, quanta: None, dealer: None }
    }
}

impl MemorySystem for Marked {
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64> {
        self.memory.ready(shared, core)
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        self.memory.submit(shared, core, operation)
    }

    fn acknowledges_stores(&self) -> bool {
        self.memory.acknowledges_stores()
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        self.memory.handle(shared, event);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.memory.traffic(shared)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let of = |name, count: Option<u64>| count.map(|count| (name, count));
        let counters = [
            of("transactions begun", Some(self.begins)),
            of("lanes aborted", Some(self.aborted_lanes)),
            of("most in transactions", self.one.as_ref().map(|one| one.most_running as u64)),
            of("quanta", self.quanta.as_ref().map(|quanta| quanta.number)),
            of("complete barriers", self.quanta.as_ref().map(|quanta| quanta.complete)),
        ];
        counters.into_iter().flatten().collect()
    }

    fn policy(&mut self) -> Option<&mut dyn IssuePolicy> {
        match (&mut self.one, &mut self.quanta) {
            (Some(one), _) => Some(one),
            (_, Some(quanta)) => Some(quanta),
            (None, None) => None,
        }
    }

    fn ctas(&mut self) -> Option<&mut dyn CtaSource> {
        self.dealer.as_mut().map(|dealer| dealer as &mut dyn CtaSource)
    }

    fn transactions(&mut self) -> Option<&mut dyn Transactions> {
        Some(self)
    }
}

impl Transactions for Marked {
    fn begin(&mut self, shared: &mut Shared, core: u32, warp: u32, _: u32) {
        self.begins += 1;
        shared.done.push(Done::Synchronised { core, warp });
    }

    fn commit(&mut self, shared: &mut Shared, core: u32, warp: u32, lanes: u32) {
        let aborted = lanes & shared.random(u32::MAX) & shared.random(u32::MAX);
        self.aborted_lanes += u64::from(aborted.count_ones());
        // The policy learns at once that the transaction is over.
        if let Some(one) = &mut self.one {
            one.is_over(core);
        }
        shared.done.push(Done::TransactionEnded { core, warp, aborted });
    }

    fn counts(&self) -> TransactionCounts {
        TransactionCounts::default()
    }
}

pub const MARKED: System =
    System::new("marked", "uncached, with transactions", |config| Box::new(Marked::new(config)));

pub const ONE_TRANSACTION: System = System::new("one", "one transaction a core", |config| {
    Box::new(Marked { one: Some(OneTransaction::default()), ..Marked::new(config) })
});
pub const QUANTA: System = System::new("quanta", "in quanta", |config| {
    Box::new(Marked { quanta: Some(Quanta::default()), ..Marked::new(config) })
});
pub const DEALT: System = System::new("dealt", "deals CTAs itself", |config| {
    let cores = config.machine.cores();
    Box::new(Marked { dealer: Some(Dealer { cores, ..Dealer::default() }), ..Marked::new(config) })
});
