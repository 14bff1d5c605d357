//! The critical path in the author's names.

use super::harness::{DRIVE, FOLD};
use super::names::Names;
use crate::flow::nextpnr::{Step, thousandths};
use crate::flow::synth::record::{CriticalPath, PathStep};

/// Converts a path of at least one step.
pub fn critical_path(path: &[Step], names: &Names<'_>) -> Option<CriticalPath> {
    let (first, last) = (path.first()?, path.last()?);
    // In `from` of the first step nextpnr 0.4 for iCE40 names the wrong cell.
    let from = names.endpoint(&first.to.cell, &first.to.port);
    let to = names.endpoint(&last.to.cell, &last.to.port);
    let steps = path.iter().enumerate().map(|(i, step)| {
        // A cell's delay is reported with the net that it drives.
        let driven = path.get(i + 1).and_then(|next| next.net.as_deref());
        let signal = match (&step.net, driven) {
            _ if i == 0 => from.clone(),
            (Some(net), _) => names.net(net),
            (None, Some(driven)) => names.net(driven),
            (None, None) => to.clone(),
        };
        let is_end = i == 0 || i + 1 == path.len();
        let cell = match &step.net {
            Some(_) => None,
            None if is_end => names.endpoint_kind(&step.to.cell),
            None => names.kind(&step.to.cell),
        };
        PathStep { kind: step.kind.clone(), signal, cell, delay_ns: thousandths(step.delay) }
    });
    let delay_ns = thousandths(path.iter().map(|step| step.delay).sum());
    Some(CriticalPath { steps: steps.collect(), from, to, delay_ns })
}

/// Whether a path lies within the harness; the block is then faster than it.
pub fn is_in_harness(path: &[Step]) -> bool {
    path.last().is_some_and(|last| [DRIVE, FOLD].iter().any(|p| last.to.cell.starts_with(p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_harnesss_only_if_it_ends_at_no_register_or_port_of_the_block() {
        let to = |cell: &str| -> Vec<Step> {
            let text = format!(
                r#"[{{"delay": 1, "type": "setup", "from": {{"cell": "a", "port": "D"}},
                     "to": {{"cell": "{cell}", "port": "D"}}}}]"#
            );
            serde_json::from_str(&text).unwrap()
        };
        assert!(is_in_harness(&to("drive_in_TRELLIS_FF_Q")));
        assert!(is_in_harness(&to("fold_out_TRELLIS_FF_Q")));
        assert!(!is_in_harness(&to("take_out_TRELLIS_FF_Q")));
        assert!(!is_in_harness(&to("block.drive_TRELLIS_FF_Q")));
    }
}
