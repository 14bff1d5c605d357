//! Makes frames: from the statistics of games, or from a model.

mod bytes;
mod camera;
mod games;
mod maker;
mod model;
mod objects;

pub use games::{GAMES, Game, game};
pub use maker::Made;
pub use model::model;
