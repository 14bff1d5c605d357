//! The shrunk stream of a failing run.

use std::time::Duration;

use super::muted;
use crate::agents::Stalls;
use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::episode::{Episode, Offer, Replay, Source};
use crate::lockstep::{Failure, run};
use crate::mismatch::Mismatch;
use crate::shrink::shrink;

/// Time limit for shrinking a failing stream.
const SHRINK_LIMIT: Duration = Duration::from_secs(5);

/// Shrinks a failing run: the last offers before the divergence, without clocks between them if that still
/// fails, and without stalls if possible.
pub(super) fn make_small(
    bench: &Bench<'_>,
    models: &Models,
    episode: &Episode<'_>,
    failure: &Failure,
) -> Result<Option<(Replay, Mismatch)>, BackendError> {
    let mut model = muted(models)?;
    let mut attempt = |offers: &[Offer], stalls: Stalls, warm: bool| {
        let source = Source::Offers(offers);
        let attempt = Episode { stalls, warm, source, ..episode.clone() };
        let failed = run(bench, &mut *model, &attempt, 0).err();
        // A model that has stopped is useless; the next try needs a new one.
        if failed.is_some()
            && let Ok(fresh) = muted(models)
        {
            model = fresh;
        }
        failed.map(|failure| failure.mismatch)
    };
    let all = &failure.offers;
    let windows = [64, 512, all.len()].map(|window| &all[all.len().saturating_sub(window)..]);
    let at_once = windows.map(|window| timed(window, |_| 0));
    let at_distance = windows.map(|window| {
        // Not at clock 0: a block may clear its memories first and then take all offers together.
        let first = window.first().map_or(0, |offer| offer.clock);
        let earlier = first.saturating_sub(bench.warming());
        timed(window, |clock| clock - earlier)
    });
    let windows: Vec<Vec<Offer>> = at_once.into_iter().chain(at_distance).collect();
    let manners = match episode.stalls {
        Stalls::None => vec![Stalls::None],
        stalls => vec![Stalls::None, stalls],
    };
    let cold = windows.iter().flat_map(|w| manners.iter().map(move |stalls| (w, *stalls, false)));
    let candidates = cold.clone().chain(cold.map(|(w, stalls, _)| (w, stalls, true)));
    for (window, stalls, warm) in candidates {
        if attempt(window, stalls, warm).is_none() {
            continue;
        }
        let small =
            shrink(window.clone(), SHRINK_LIMIT, |offers| attempt(offers, stalls, warm).is_some());
        let Some(offers) = small else { continue };
        let Some(mismatch) = attempt(&offers, stalls, warm) else { continue };
        let params = serde_json::to_value(bench.design().params()).expect("a table is JSON");
        let replay = Replay {
            block: bench.design().name().to_string(),
            params,
            straps: episode.straps.to_vec(),
            stalls,
            stall_seed: episode.stall_seed,
            warm,
            reset_clocks: bench.reset_clocks(),
            offers,
        };
        return Ok(Some((replay, mismatch)));
    }
    Ok(None)
}

/// The offers with their clocks mapped by `clock`.
fn timed(offers: &[Offer], clock: impl Fn(u64) -> u64) -> Vec<Offer> {
    offers.iter().map(|offer| Offer { clock: clock(offer.clock), ..offer.clone() }).collect()
}
