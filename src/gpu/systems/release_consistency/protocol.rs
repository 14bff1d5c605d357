//! The L1 controllers as tables: states, events, actions (tables 10.12, 10.15 and 10.19). What the Primer does not
//! have is marked as ours.

use std::fmt::Write;

/// A stable state of a line in an L1. A line that was asked for and has not come is in the transient state of its
/// miss, in which everything about the line waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// Invalid.
    I,
    /// Valid.
    V,
    /// Owned: no other L1 has stored to it since.
    O,
}

/// What happens to a line in an L1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A load, or an acquire of the CTA.
    Load,
    /// A store, or a release of the CTA.
    Store,
    /// An acquire beyond the CTA.
    Acquire,
    /// A release beyond the CTA.
    Release,
    /// A relaxed load beyond the CTA.
    RelaxedLoad,
    /// A relaxed store beyond the CTA.
    RelaxedStore,
    /// A read-modify-write.
    Atomic,
    /// The line makes room.
    Eviction,
    /// The L2 asks the owner for the line.
    RequestWriteBack,
}

/// What is done with the words of the access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    /// They are read, written, or both, in the L1.
    Here,
    /// The access is sent to the L2, which performs it.
    AtL2,
}

/// A row: what is done in a state when an event comes, in the order of the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) state: State,
    pub(super) event: Event,
    /// All other dirty lines that are not owned are written back, and acknowledged.
    pub(super) flush: bool,
    /// The line is asked for, valid or owned.
    pub(super) ask: Option<State>,
    pub(super) does: Does,
    /// The line is written back.
    pub(super) write_back: bool,
    /// All other valid lines that are not owned are invalidated.
    pub(super) invalidate: bool,
    pub(super) next: State,
    /// Not of the Primer.
    pub(super) is_ours: bool,
}

use Does::{AtL2, Here, Nothing};
use Event::{
    Acquire, Atomic, Eviction, Load, RelaxedLoad, RelaxedStore, Release, RequestWriteBack, Store,
};
use State::{I, O, V};

const fn on(state: State, event: Event, does: Does) -> Row {
    let (flush, ask, write_back, invalidate) = (false, None, false, false);
    Row { state, event, flush, ask, does, write_back, invalidate, next: state, is_ours: false }
}

impl Row {
    const fn asks(self, state: State) -> Self {
        Self { ask: Some(state), next: state, ..self }
    }

    const fn flushes(self) -> Self {
        Self { flush: true, ..self }
    }

    const fn invalidates(self) -> Self {
        Self { invalidate: true, ..self }
    }

    const fn writes_back(self) -> Self {
        Self { write_back: true, ..self }
    }

    const fn to(self, next: State) -> Self {
        Self { next, ..self }
    }

    const fn ours(self) -> Self {
        Self { is_ours: true, ..self }
    }

    /// The actions in words.
    fn actions(&self) -> String {
        let mut words = Vec::new();
        if self.flush {
            words.push("write back all other dirty lines that are not owned".to_string());
        }
        match self.ask {
            Some(O) => words.push("GetO".to_string()),
            Some(_) => words.push("GetV".to_string()),
            None => {}
        }
        match (self.does, self.event) {
            (Here, Load | Acquire | RelaxedLoad) => words.push("read".to_string()),
            (Here, Atomic) => words.push("read and write".to_string()),
            (Here, _) => words.push("write".to_string()),
            (AtL2, _) => words.push("the L2 reads and writes".to_string()),
            (Nothing, _) => {}
        }
        if self.write_back {
            let position = if self.does == AtL2 { words.len() - 1 } else { words.len() };
            words.insert(position, "write the line back".to_string());
        }
        if self.invalidate {
            words.push("invalidate all other valid lines that are not owned".to_string());
        }
        let next =
            if self.next == self.state { String::new() } else { format!(" / {:?}", self.next) };
        format!("{}{next}", words.join(", "))
    }
}

/// An L1 controller.
#[derive(Debug)]
pub(super) struct Protocol {
    /// Its tables in the Primer: of the L1, of the L2.
    pub(super) tables: [&'static str; 2],
    /// Its rows. What has none has nothing to do.
    pub(super) rows: &'static [Row],
    /// Whether a fence, or a read-modify-write that releases, writes dirty lines back. The Primer has none.
    pub(super) fence_flushes: bool,
}

/// Write-back caches that are flushed at a release and emptied at an acquire.
pub(super) const BASE: Protocol = Protocol {
    tables: ["10.12", "10.13"],
    rows: &[
        on(I, Load, Here).asks(V),
        on(V, Load, Here),
        on(I, Store, Here).asks(V),
        on(V, Store, Here),
        on(I, Acquire, Here).asks(V).flushes().invalidates(),
        on(V, Acquire, Here).asks(V).flushes().invalidates(),
        on(I, Release, Here).flushes().asks(V).writes_back(),
        on(V, Release, Here).flushes().writes_back(),
        on(V, Eviction, Nothing).writes_back().to(I),
        on(I, RelaxedLoad, Here).asks(V).ours(),
        on(V, RelaxedLoad, Here).asks(V).ours(),
        on(I, RelaxedStore, Here).asks(V).writes_back().ours(),
        on(V, RelaxedStore, Here).writes_back().ours(),
        on(I, Atomic, AtL2).ours(),
        on(V, Atomic, AtL2).writes_back().to(I).ours(),
    ],
    fence_flushes: true,
};

/// Stores register ownership.
pub(super) const OWNERSHIP: Protocol = Protocol {
    tables: ["10.15", "10.16"],
    rows: &[
        on(I, Load, Here).asks(V),
        on(V, Load, Here),
        on(O, Load, Here),
        on(I, Store, Here).asks(O),
        on(V, Store, Here).asks(O),
        on(O, Store, Here),
        on(I, Acquire, Here).asks(V).invalidates(),
        on(V, Acquire, Here).asks(V).invalidates(),
        on(O, Acquire, Here),
        on(I, Release, Here).asks(O),
        on(V, Release, Here).asks(O),
        on(O, Release, Here),
        on(V, Eviction, Nothing).to(I),
        on(O, Eviction, Nothing).writes_back().to(I),
        on(O, RequestWriteBack, Nothing).writes_back().to(V),
        on(I, RelaxedLoad, Here).asks(V).ours(),
        on(V, RelaxedLoad, Here).asks(V).ours(),
        on(O, RelaxedLoad, Here).ours(),
        on(I, RelaxedStore, Here).asks(O).ours(),
        on(V, RelaxedStore, Here).asks(O).ours(),
        on(O, RelaxedStore, Here).ours(),
        on(I, Atomic, Here).asks(O).ours(),
        on(V, Atomic, Here).asks(O).ours(),
        on(O, Atomic, Here).ours(),
    ],
    fence_flushes: false,
};

/// A release takes ownership of its line; write-backs wait for who asks for it.
pub(super) const LAZY: Protocol = Protocol {
    tables: ["10.19", "10.16"],
    rows: &[
        on(I, Load, Here).asks(V),
        on(V, Load, Here),
        on(O, Load, Here),
        on(I, Store, Here).asks(V),
        on(V, Store, Here),
        on(O, Store, Here),
        on(I, Acquire, Here).asks(V).flushes().invalidates(),
        on(V, Acquire, Here).asks(V).flushes().invalidates(),
        on(O, Acquire, Here),
        on(I, Release, Here).asks(O),
        on(V, Release, Here).asks(O),
        on(O, Release, Here),
        on(V, Eviction, Nothing).writes_back().to(I),
        on(O, Eviction, Nothing).flushes().writes_back().to(I),
        on(O, RequestWriteBack, Nothing).flushes().writes_back().to(V),
        on(I, RelaxedLoad, Here).asks(V).ours(),
        on(V, RelaxedLoad, Here).asks(V).ours(),
        on(O, RelaxedLoad, Here).ours(),
        on(I, RelaxedStore, Here).asks(V).writes_back().ours(),
        on(V, RelaxedStore, Here).writes_back().ours(),
        on(O, RelaxedStore, Here).ours(),
        on(I, Atomic, AtL2).ours(),
        on(V, Atomic, AtL2).writes_back().to(I).ours(),
        on(O, Atomic, AtL2).flushes().writes_back().to(I).ours(),
    ],
    fence_flushes: true,
};

impl Protocol {
    /// The row of a state and an event; none if nothing is to be done.
    pub(super) fn row(&self, state: State, event: Event) -> Option<&Row> {
        self.rows.iter().find(|row| row.state == state && row.event == event)
    }

    /// The table as the room's page shows it.
    pub(super) fn page(&self) -> String {
        let mut page =
            String::from("| state | event | actions / next state | |\n|---|---|---|---|\n");
        for row in self.rows {
            let whose = if row.is_ours { "ours" } else { self.tables[0] };
            let Row { state, event, .. } = row;
            let _ = writeln!(page, "| {state:?} | {event:?} | {} | {whose} |", row.actions());
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::{BASE, LAZY, OWNERSHIP};

    /// Run with `UPDATE_EXPECT=1` to print the tables into the page again.
    #[test]
    fn the_page_has_the_tables_as_they_are_run() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/systems/release_consistency/README.md");
        let mut page = std::fs::read_to_string(path).expect("the page");
        for (name, protocol) in [("base", BASE), ("ownership", OWNERSHIP), ("lazy", LAZY)] {
            let [start, end] = ["", "end of "].map(|word| format!("<!-- {word}{name} -->\n"));
            let from = page.find(&start).expect("a mark") + start.len();
            let to = page.find(&end).expect("a mark");
            let table = format!("\n{}\n", protocol.page());
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                page.replace_range(from..to, &table);
                std::fs::write(path, &page).expect("writable");
            } else {
                assert_eq!(page[from..to], table, "{name}");
            }
        }
    }

    #[test]
    fn a_state_and_an_event_have_one_row() {
        for protocol in [BASE, OWNERSHIP, LAZY] {
            for (at, row) in protocol.rows.iter().enumerate() {
                let others = protocol.rows.iter().enumerate();
                let mut same =
                    others.filter(|(_, it)| (it.state, it.event) == (row.state, row.event));
                assert_eq!(same.next().map(|(at, _)| at), Some(at), "{row:?}");
                assert!(same.next().is_none(), "{row:?}");
            }
        }
    }
}
