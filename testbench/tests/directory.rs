//! tmp
use warpsmith_testbench::{agents::*, backend::*, cosim::*, lockstep::*};
#[test]
fn native() {
    for preset in ["tiny", "fpga", "paper"] {
        let d = warpsmith_blocks::find("hmg_directory").unwrap().configure(preset, &[]).unwrap();
        let c = d.circuit();
        let b = Bench::new(&*d, &c);
        for be in [Backend::Native, Backend::Verilator] {
            let m = Models::of_circuit(&c, be, false).unwrap();
            let t = std::time::Instant::now();
            let (s, v) = cosim(
                &b,
                &m,
                &Plan { requests: 100000, seed: 1, stream: 0, stalls: Stalls::Random },
                None,
                &mut |_| {},
            )
            .unwrap();
            println!("{preset} {be:?} {:?}", t.elapsed());
            println!("{s:#?}\n{v:#?}");
            assert!(matches!(v, Verdict::Equal));
        }
    }
}
