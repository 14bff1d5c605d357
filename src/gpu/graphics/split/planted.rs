//! Errors that are planted for tests: each makes wrong pixels, and is found.

/// An error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// Transparent sub-images are composed in any order.
    AnyNeighbour,
    /// The first dirty block of each transfer is left out.
    LeavesOutBlock,
    /// At equal depth, the first or the last to arrive wins.
    TieByArrival,
    /// All draws have the same number.
    LosesNumber,
    /// No boundary where the blending changes.
    BlendChange,
    /// No boundary where depth begins or ends to be written.
    DepthWriteChange,
    /// No boundary where the stencil test changes.
    StencilChange,
    /// No GPU broadcasts its depth.
    NoDepthBroadcast,
    /// The background composes each list twice.
    BackgroundTwice,
    /// The background does not compose.
    NoBackground,
    /// Transparent triangles are dealt in turn.
    DealsRunsInTurn,
    /// GPU 1 does not broadcast its targets.
    OneTargetBroadcastMissing,
    /// The receiver takes the tiles of the next GPU for its own.
    OwnerOffByOne,
    /// GPUpd's lists are merged as they arrive.
    PrimitivesByArrival,
    /// The second draw of each group is granted to two GPUs.
    GrantedTwice,
}

impl Planted {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::AnyNeighbour,
        Self::LeavesOutBlock,
        Self::TieByArrival,
        Self::LosesNumber,
        Self::BlendChange,
        Self::DepthWriteChange,
        Self::StencilChange,
        Self::NoDepthBroadcast,
        Self::BackgroundTwice,
        Self::NoBackground,
        Self::DealsRunsInTurn,
        Self::OneTargetBroadcastMissing,
        Self::OwnerOffByOne,
        Self::PrimitivesByArrival,
        Self::GrantedTwice,
    ];
}
