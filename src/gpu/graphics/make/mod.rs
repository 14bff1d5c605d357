//! Makes frames: from the statistics of games, from a model, or from a recorded program.

mod bytes;
mod camera;
mod games;
mod maker;
mod model;
mod objects;
mod trace;

pub use games::{GAMES, Game, game};
pub use maker::Made;
pub use model::model;
pub use trace::trace;
