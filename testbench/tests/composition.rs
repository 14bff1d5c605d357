//! Composition of images in the order of the scheduler's circuit: what the GPUs have at the end of a group is
//! what one GPU would have drawn, bit for bit.
//!
//! Transparent sub-images are blended with the over operator, opaque ones by depth. Over is associative only
//! where nothing is rounded, so a pixel is an integer over a power of two that grows with each blend.

mod support {
    pub mod composing;
}

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::chopin_composition_scheduler::Finished;
use warpsmith_blocks::verification::StimulusRng;

use support::composing::{Machine, Network};

/// A pixel with its colors multiplied by alpha, all over 2^`bits`: alpha has no rounding after any blend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pixel {
    bits: u32,
    alpha: u128,
    colors: [u128; 3],
}

impl Pixel {
    /// A random color behind a random alpha of so many bits, its least and greatest values included.
    fn random(rng: &mut StimulusRng, bits: u32) -> Self {
        let alpha = rng.random_range(0..=1_u128 << bits);
        let colors = std::array::from_fn(|_| alpha * rng.random_range(0..=255_u128));
        Self { bits, alpha, colors }
    }

    /// This in front of another.
    fn over(self, behind: Self) -> Self {
        let clear = (1 << self.bits) - self.alpha;
        let blend = |front: u128, back: u128| (front << behind.bits) + clear * back;
        Self {
            bits: self.bits + behind.bits,
            alpha: blend(self.alpha, behind.alpha),
            colors: std::array::from_fn(|i| blend(self.colors[i], behind.colors[i])),
        }
    }
}

/// A fragment: depth and color.
type Fragment = (u32, u32);

/// The nearer one; of equally near ones that of the lower GPU, which drew it first.
fn nearer(one: (usize, Fragment), other: (usize, Fragment)) -> (usize, Fragment) {
    if (one.1.0, one.0) <= (other.1.0, other.0) { one } else { other }
}

/// The sub-images of a group: of each GPU the region of each other.
struct Group {
    transparent: bool,
    pixels: Vec<Vec<Pixel>>,
    fragments: Vec<Vec<Fragment>>,
    background: Pixel,
}

impl Group {
    fn random(rng: &mut StimulusRng, gpus: usize, transparent: bool) -> Self {
        // 65 blends of 8 + 1 bits, or 17 of 8 + 6, fit 128 bits.
        let bits = if gpus > 16 { 1 } else { 6 };
        let mut image = |_| (0..gpus).map(|_| Pixel::random(rng, bits)).collect();
        let pixels = (0..gpus).map(&mut image).collect();
        let background = Pixel::random(rng, bits);
        let mut image =
            |_| (0..gpus).map(|_| (rng.random_range(0..4), rng.random_range(0..1 << 24))).collect();
        let fragments = (0..gpus).map(&mut image).collect();
        Self { transparent, pixels, fragments, background }
    }

    /// A region as one GPU draws it: GPU after GPU, each in front of those before it.
    fn in_order(&self, region: usize) -> (Pixel, (usize, Fragment)) {
        let front = |behind: Pixel, image: &Vec<Pixel>| image[region].over(behind);
        let fragments = self.fragments.iter().map(|image| image[region]).enumerate();
        (self.pixels.iter().fold(self.background, front), fragments.reduce(nearer).expect("a GPU"))
    }
}

/// A GPU that composes its region.
struct Composing {
    group: usize,
    /// The GPUs of the pixel, from the hindmost to the foremost.
    run: std::ops::RangeInclusive<usize>,
    pixel: Pixel,
    fragment: (usize, Fragment),
    /// Transfers that it takes part in and that have not ended.
    left: usize,
}

impl Composing {
    fn new(groups: &[Group], group: usize, gpu: usize) -> Self {
        let (of, gpus) = (&groups[group], groups[group].pixels.len());
        let left = 2 * (gpus - 1) + usize::from(of.transparent);
        let (pixel, fragment) = (of.pixels[gpu][gpu], (gpu, of.fragments[gpu][gpu]));
        Self { group, run: gpu..=gpu, pixel, fragment, left }
    }

    /// Composes with the sub-image of `src`. Where it stands in the order of GPUs is not looked at: what comes
    /// from a higher number goes in front.
    fn receive(&mut self, group: &Group, src: usize, own: usize) {
        let (first, last) = (*self.run.start(), *self.run.end());
        if src == own {
            self.pixel = self.pixel.over(group.background);
            return;
        }
        let received = group.pixels[src][own];
        if src > last {
            self.pixel = received.over(self.pixel);
            self.run = first..=src;
        } else {
            self.pixel = self.pixel.over(received);
            self.run = src..=last;
        }
        self.fragment = nearer(self.fragment, (src, group.fragments[src][own]));
    }
}

/// Composes groups on the circuit, transfers of up to `longest` clocks; how many regions were compared.
fn compose(gpus: usize, kinds: &[bool], longest: u64, seed: u64) -> usize {
    let mut rng = StimulusRng::seed_from_u64(seed);
    let groups: Vec<_> = kinds.iter().map(|&kind| Group::random(&mut rng, gpus, kind)).collect();
    let mut network = {
        let mut rng = StimulusRng::seed_from_u64(seed ^ 1);
        Network::new(move || rng.random_range(1..=longest))
    };
    let mut machine = Machine::new(gpus as u32);
    let mut composing: Vec<Option<Composing>> = (0..gpus).map(|_| None).collect();
    // Of each GPU how many groups it has finished.
    let mut told = vec![0; gpus];
    let mut begun = vec![0; gpus];
    let mut compared = 0;
    while compared < groups.len() * gpus {
        assert!(machine.clock < 1_000_000, "seed {seed}: the groups do not end");
        let gpu = rng.random_range(0..gpus);
        let may_finish = told[gpu] < groups.len() && told[gpu] <= begun[gpu];
        let finished = (may_finish && rng.random_range(0..longest) < 4).then(|| {
            told[gpu] += 1;
            Finished { gpu: gpu as u64, transparent: kinds[told[gpu] - 1] }
        });
        let clock = machine.clock;
        let done = network.ended(clock);
        if let Some(start) = machine.step(finished, done, true) {
            network.started(clock, &start);
        }
        // Of one clock, finished counts first.
        for gpu in 0..gpus {
            begin(&mut composing[gpu], &groups, gpu, (told[gpu], &mut begun[gpu]));
        }
        let Some(done) = done else { continue };
        let (src, dst) = (done.src as usize, done.dst as usize);
        let group = composing[dst].as_ref().expect("it composes").group;
        let same = composing[src].as_ref().is_some_and(|other| other.group == group);
        assert!(same, "seed {seed}: {src} and {dst} compose one group");
        let receiver = composing[dst].as_mut().expect("it composes");
        receiver.receive(&groups[group], src, dst);
        for gpu in if src == dst { vec![dst] } else { vec![src, dst] } {
            let state = composing[gpu].as_mut().expect("it composes");
            state.left -= 1;
            if state.left == 0 {
                let of = &groups[state.group];
                let (pixel, fragment) = of.in_order(gpu);
                match of.transparent {
                    true => assert_eq!(state.pixel, pixel, "seed {seed}, group {group}, GPU {gpu}"),
                    false => assert_eq!(state.fragment, fragment, "seed {seed}, GPU {gpu}"),
                }
                compared += 1;
                composing[gpu] = None;
                begin(&mut composing[gpu], &groups, gpu, (told[gpu], &mut begun[gpu]));
            }
        }
    }
    compared
}

/// The GPU begins the next group if it has finished it and composes no other.
fn begin(
    composing: &mut Option<Composing>,
    groups: &[Group],
    gpu: usize,
    (told, begun): (usize, &mut usize),
) {
    if composing.is_none() && told > *begun {
        *composing = Some(Composing::new(groups, *begun, gpu));
        *begun += 1;
    }
}

#[test]
fn what_is_composed_is_what_one_gpu_draws() {
    for (gpus, groups, seeds) in [(2, 40, 40), (3, 40, 40), (8, 20, 30), (64, 3, 1)] {
        let mut compared = 0;
        for seed in 0..seeds {
            let mut rng = StimulusRng::seed_from_u64(seed);
            let kinds: Vec<bool> = (0..groups).map(|_| rng.random()).collect();
            let longest = [8, 50, 400][rng.random_range(0..3)];
            compared += compose(gpus, &kinds, longest, seed);
        }
        println!("{gpus} GPUs: {compared} regions are as one GPU draws them");
        assert_eq!(compared, gpus * groups * seeds as usize);
    }
}

/// The comparison can fail: a sub-image that is not next to the run comes out wrong.
#[test]
fn a_transparent_sub_image_out_of_order_is_told_from_one_in_order() {
    let mut rng = StimulusRng::seed_from_u64(3);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..200 {
        let groups = [Group::random(&mut rng, 4, true)];
        let composed = |sources: [usize; 4]| {
            let mut gpu = Composing::new(&groups, 0, 1);
            sources.into_iter().for_each(|src| gpu.receive(&groups[0], src, 1));
            gpu.pixel == groups[0].in_order(1).0
        };
        right += usize::from(composed([2, 0, 3, 1]) && composed([0, 2, 3, 1]));
        wrong += usize::from(!composed([3, 2, 0, 1]));
    }
    assert_eq!(right, 200);
    assert!(wrong > 150, "{wrong} of 200 differ");
}
