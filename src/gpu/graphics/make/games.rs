//! Frames with the statistics of the thesis's games (table 6.3, 6.6.3).
//!
//! Told are the resolution, draws and triangles, and of composition groups: at least 4096 triangles 6.5 in the mean, at most
//! 13, with 92.44 % of the triangles; at least 16,384 5.25 in the mean, with 89.83 %. All else is assumed, from a recorded
//! frame of Minetest 5.6: the largest tenth of the draws has two thirds of the triangles, about two fifths of them are
//! culled or outside, a pixel is written a little more than twice. How many large groups each game has is chosen so that the means are met.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::maker::{Made, Maker};
use super::objects::{FLOATS, Meshes, Object, color};
use crate::graphics::frame::file::{DrawFile, StateFile};
use crate::graphics::{Blend, DepthTest, Facing, Function};

/// Shaders that take positions in clip space and colours.
const COLORED: (&str, &str) = ("colored.ptx", include_str!("../../../../tests/frames/colored.ptx"));

/// A frame of table 6.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// The table's abbreviation.
    pub name: &'static str,
    /// Pixels of a row and rows.
    pub size: [u32; 2],
    /// Draw commands.
    pub draws: u32,
    /// Triangles.
    pub triangles: u32,
    /// Composition groups of at least 16,384 triangles, and of 4096 to 16,383 (assumed).
    pub groups: [u32; 2],
}

const fn of(
    name: &'static str,
    size: [u32; 2],
    draws: u32,
    triangles: u32,
    groups: [u32; 2],
) -> Game {
    Game { name, size, draws, triangles, groups }
}

/// All of them.
pub const GAMES: [Game; 8] = [
    of("cod2", [640, 480], 1005, 219_950, [4, 1]),
    of("cry", [800, 600], 1427, 800_948, [7, 2]),
    of("grid", [1280, 1024], 2623, 466_806, [11, 2]),
    of("mirror", [1280, 1024], 1257, 381_422, [5, 1]),
    of("nfs", [1280, 1024], 1858, 534_121, [5, 1]),
    of("stal", [1280, 1024], 1086, 546_733, [3, 1]),
    of("ut3", [1280, 1024], 1944, 630_302, [4, 2]),
    of("wolf", [640, 480], 1697, 243_052, [3, 1]),
];

/// Share of the triangles in groups of at least 16,384, and of 4096 to 16,383 (6.6.3).
const SHARES: [f64; 2] = [0.8983, 0.0261];
/// Triangles of each other group, about.
const SMALL: u32 = 2000;
/// Spread of the triangles of draws: with it the largest tenth of a lognormal distribution has 68 %.
const SPREAD: f64 = 1.75;
/// Area that all objects cover, in pictures: what faces the viewer, before depth.
const COVERED: f64 = 5.5;

/// Kind of the draws of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Opaque,
    /// Decals, sky: depth is tested and not written.
    Flat,
    Transparent,
}

/// A group to be made.
#[derive(Debug, Clone)]
struct Plan {
    kind: Kind,
    /// Triangles of each draw.
    draws: Vec<u32>,
}

/// A game by its name.
pub fn game(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name == name)
}

/// Parts of a whole number in proportion to weights; each is at least `least`.
fn parts(total: u32, weights: &[f64], least: u32) -> Vec<u32> {
    let free = f64::from(total - least * weights.len() as u32);
    let sum: f64 = weights.iter().sum();
    let (mut so_far, mut given) = (0.0, 0);
    let part = |weight: &f64| {
        so_far += weight / sum * free;
        let upto = so_far.round() as u32;
        let part = upto - given;
        given = upto;
        least + part
    };
    weights.iter().map(part).collect()
}

/// A standard normal, by the sum of uniform ones: no function that differs between machines.
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

impl Game {
    /// The game with fewer triangles and pixels, and as many fewer draws.
    #[must_use]
    pub fn scaled(&self, scale: u32) -> Self {
        let side = |side: u32| (f64::from(side) / f64::from(scale).sqrt()).round() as u32;
        let least = 8 * self.groups.iter().sum::<u32>();
        Self {
            size: self.size.map(side),
            draws: (self.draws / scale).max(least),
            triangles: self.triangles / scale,
            ..*self
        }
    }

    /// Triangles of the groups: the large ones, the middle ones, all others.
    fn groups(&self, random: &mut Xoshiro256PlusPlus) -> [Vec<u32>; 3] {
        let mut weights = |count: u32| -> Vec<f64> {
            (0..count).map(|_| random.random_range(1.0..2.0)).collect()
        };
        let total = f64::from(self.triangles);
        let [large, middle] = SHARES.map(|share| (share * total).round() as u32);
        let small = self.triangles - large - middle;
        // The scale shows in the triangles; groups of the same kind are not far from each other.
        let [large_ones, middle_ones] = self.groups;
        let small_ones = (small / SMALL).max(large_ones + middle_ones + 2);
        let even = |total: u32, count: u32, weights: Vec<f64>| {
            let least = (f64::from(total) / f64::from(count) * 0.7) as u32;
            parts(total, &weights, least)
        };
        [
            even(large, large_ones, weights(large_ones)),
            even(middle, middle_ones, vec![1.0; middle_ones as usize]),
            even(small, small_ones, weights(small_ones)),
        ]
    }

    /// All groups in order: between any two large ones there is a small one, which ends the first.
    fn plan(&self, random: &mut Xoshiro256PlusPlus) -> Vec<Plan> {
        let [large, middle, small] = self.groups(random);
        let total = f64::from(self.triangles);
        let mut order: Vec<(Kind, u32)> = Vec::new();
        let middles = (0..).zip(&middle).map(|(at, triangles)| {
            (if at == 0 { Kind::Transparent } else { Kind::Opaque }, *triangles)
        });
        let mut small = small.into_iter();
        for (kind, triangles) in large.iter().map(|it| (Kind::Opaque, *it)).chain(middles) {
            order.push((kind, triangles));
            // A group of the same state would be one with it.
            order.extend(small.next().map(|triangles| (Kind::Flat, triangles)));
        }
        let kinds = [Kind::Transparent, Kind::Flat].into_iter().cycle();
        order.extend(kinds.zip(small));
        let weights: Vec<_> = order.iter().map(|(_, it)| f64::from(*it) / total).collect();
        let draws = parts(self.draws, &weights, 1);
        let plan = |((kind, triangles), draws): (&(Kind, u32), u32)| {
            let weights: Vec<_> = (0..draws).map(|_| libm::exp(SPREAD * normal(random))).collect();
            Plan { kind: *kind, draws: parts(*triangles, &weights, 2.min(triangles / draws)) }
        };
        order.iter().zip(draws).map(plan).collect()
    }

    /// Makes a frame; each seed gives another.
    ///
    /// # Errors
    /// If so small a frame cannot have the groups.
    pub fn make(&self, seed: u64) -> Result<Made, String> {
        let least = 4 * self.draws;
        if self.triangles < least {
            let (has, name) = (self.triangles, self.name);
            return Err(format!(
                "{name}: {has} triangles for {} draws: at least {least}",
                self.draws
            ));
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let plans = self.plan(&mut random);
        let mut maker = Maker::new(self.name);
        maker.target("screen", self.size);
        maker.shader("colored", COLORED, ["clip_vertex", "colored_fragment"], 4);
        for kind in [Kind::Opaque, Kind::Flat, Kind::Transparent] {
            maker.state(kind.name(), kind.state());
        }
        maker.begin("screen", [90, 130, 180, 255]);
        let mut meshes = Meshes::default();
        let commands = self.commands(&plans, &mut meshes, &mut random);
        maker.floats("vertices", Some(FLOATS), &meshes.floats);
        maker.indices("indices", &meshes.indices);
        commands.into_iter().for_each(|draw| maker.draw(draw));
        let Self { name, draws, triangles, .. } = self;
        maker.finish(&format!(
            "{draws} draws, {triangles} triangles as in {name} of table 6.3, seed {seed}"
        ))
    }

    fn commands(
        &self,
        plans: &[Plan],
        meshes: &mut Meshes,
        random: &mut Xoshiro256PlusPlus,
    ) -> Vec<DrawFile> {
        // An object's area goes with the square root of its triangles.
        let roots: f64 =
            plans.iter().flat_map(|it| &it.draws).map(|it| f64::from(*it).sqrt()).sum();
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1]);
        let mut commands = Vec::new();
        for Plan { kind, draws } in plans {
            for triangles in draws {
                // The picture has an area of 4 in clip space; an ellipse has pi times its radii.
                let area = 4.0 * COVERED * f64::from(*triangles).sqrt() / roots;
                let stretch = random.random_range(0.6..1.6) * aspect;
                let radius = (area / std::f64::consts::PI / stretch).sqrt();
                let object = Object {
                    triangles: *triangles,
                    centre: [0; 2].map(|_| random.random_range(-1.05f32..1.05)),
                    radii: [radius as f32, (radius * stretch) as f32],
                    depth: random.random_range(0.1..0.9),
                    is_closed: random.random_bool(0.82),
                    color: color(random, if *kind == Kind::Transparent { 0.4 } else { 1.0 }),
                };
                let [first, count] = meshes.add(&object);
                commands.push(DrawFile {
                    shader: "colored".to_string(),
                    state: Some(kind.name().to_string()),
                    vertices: vec!["vertices".to_string()],
                    indices: Some("indices".to_string()),
                    first,
                    count: Some(count),
                    ..DrawFile::default()
                });
            }
        }
        commands
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Flat => "flat",
            Self::Transparent => "transparent",
        }
    }

    fn state(self) -> StateFile {
        let depth = Some(DepthTest { test: Function::Lequal, write: self == Self::Opaque });
        let blend = (self == Self::Transparent).then_some(Blend::OVER);
        StateFile { cull: Facing::Back, depth, blend, ..StateFile::default() }
    }
}
