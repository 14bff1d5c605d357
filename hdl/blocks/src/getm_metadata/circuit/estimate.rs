//! The estimate for the request in stage 4: of what its rows in the Bloom filter hold, the least.
//!
//! No comparison waits for the result of another: the rows are compared with each other in stage 3,
//! with the request's time in stage 4, and in both with the entry in stage 5, which raises them.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::bloom::{Held, Rows};
use super::control::Control;

/// An estimated timestamp.
pub(super) struct Estimate<'m> {
    pub time: Signal<'m>,
    /// It is later than the request's.
    pub is_later: Signal<'m>,
}

/// How the rows of a request stand to the entry that is about to raise some of them.
struct Standing<'m> {
    /// What the rows hold.
    held: Vec<Signal<'m>>,
    /// It is below the entry's.
    below: Vec<Signal<'m>>,
    /// The entry raises the row.
    raised: Vec<Signal<'m>>,
}

impl<'m> Standing<'m> {
    fn new(rows: &[Held<'m>], name: &str, victim: Signal<'m>) -> Self {
        let held: Vec<_> = rows.iter().map(|row| row.times.get(name)).collect();
        let below: Vec<_> = held.iter().map(|time| time.lt(victim)).collect();
        let raised = below.iter().zip(rows).map(|(&below, row)| below & row.victim_maps).collect();
        Self { held, below, raised }
    }

    /// Whether row `i` holds no more than row `j` once they are raised, if that is so before. Two that
    /// are raised hold the same; one that is raised holds no more than one that is not below the entry.
    fn no_more_than(&self, i: usize, j: usize, before: Signal<'m>) -> Signal<'m> {
        let Self { below, raised, .. } = self;
        raised[i].mux(raised[j] | !below[j], raised[j].mux(below[i], before))
    }
}

/// The estimate of the timestamp of that name, against `warpts`.
pub(super) fn estimate<'m>(
    m: &'m ModuleBuilder,
    control: &Control<'m>,
    rows: &Rows<'m>,
    name: &str,
    warpts: Signal<'m>,
) -> Estimate<'m> {
    let ways = rows.stage4.len();
    let victim = rows.victim.get(name);
    let stage3 = Standing::new(&rows.stage3, name, victim);
    let stage4 = Standing::new(&rows.stage4, name, victim);

    // For each pair of ways, whether the first holds no more than the second.
    let mut no_more = vec![vec![m.lit(1, 1); ways]; ways];
    for (first, second) in (0..ways).flat_map(|i| (i + 1..ways).map(move |j| (i, j))) {
        let above = m.reg_without_reset(&format!("stage4_{name}{first}_above{second}"), 1);
        let no_more3 = stage3.held[first].le(stage3.held[second]);
        m.when(control.moves, || above.set(!stage3.no_more_than(first, second, no_more3)));
        for (i, j, before) in [(first, second, !*above), (second, first, *above)] {
            let no_more_now = stage4.no_more_than(i, j, before);
            no_more[i][j] = no_more_now.named(&format!("{name}{i}_no_more_than{j}"));
        }
    }
    let least = |way: usize| m.concat_low_first(&no_more[way]).all();
    // If there are several, they hold the same: that is selected, one or more times.
    let least = m.concat_low_first(&(0..ways).map(least).collect::<Vec<_>>());
    let least = least.named(&format!("least_{name}_ways"));

    let later_than_victim = warpts.lt(victim);
    let of_row = |way: usize| {
        let time = stage4.raised[way].mux(victim, stage4.held[way]);
        let later = stage4.raised[way].mux(later_than_victim, warpts.lt(stage4.held[way]));
        (time, later.named(&format!("raised_{name}{way}_is_later")))
    };
    let (times, later): (Vec<_>, Vec<_>) = (0..ways).map(of_row).unzip();
    Estimate {
        time: one_hot::select(least, &times).named(&format!("estimated_{name}")),
        is_later: one_hot::select(least, &later).named(&format!("estimated_{name}_is_later")),
    }
}
