//! The internal form of an instruction: operands are indices, nothing is looked up by name.

use super::forms::{
    AccessForm, BarrierKind, BulkForm, Call, ClusterBarrier, CopyForm, IndirectCall, Parts,
    Service, ShaderCall,
};
use super::kinds::{
    Bits3, Carry, Comparison, Count, Float1, Float2, FloatClass, FloatMode, Integer1, Integer2,
    Integer3, Logic, Reduction, Shuffle, Special, Vote,
};
use super::matrix::{MatrixAddress, MatrixForm};
use super::operand::{Condition, Source, SourceIn, Target, TargetIn};
use super::texture::Query;
use super::types::{File, Order, Scope, Space, Type};

/// An instruction with its guard.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// `@p` or `@!p`: lanes where it does not hold do nothing.
    pub guard: Option<Condition>,
    /// What is done.
    pub operation: Operation,
}

/// What an instruction does. `d` is written, the rest is read.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "operands are named as in PTX")]
pub enum Operation {
    Integer1 {
        op: Integer1,
        ty: Type,
        d: Target,
        a: Source,
    },
    Count {
        op: Count,
        ty: Type,
        d: Target,
        a: Source,
    },
    Integer2 {
        op: Integer2,
        ty: Type,
        d: Target,
        ab: [Source; 2],
    },
    Integer3 {
        op: Integer3,
        ty: Type,
        d: Target,
        abc: [Source; 3],
    },
    /// `mul.wide`, `mad.wide`.
    Widening {
        ty: Type,
        d: Target,
        a: Source,
        b: Source,
        c: Option<Source>,
    },
    Carry {
        op: Carry,
        ty: Type,
        carry_in: bool,
        carry_out: bool,
        d: Target,
        abc: [Source; 3],
    },
    Shift {
        left: bool,
        ty: Type,
        d: Target,
        a: Source,
        amount: Source,
    },
    /// `bfe`: `length` bits of `a` from `position`.
    Extract {
        ty: Type,
        d: Target,
        a: Source,
        position: Source,
        length: Source,
    },
    /// `bfi`: `length` bits of `a` put into `b` at `position`.
    Insert {
        ty: Type,
        d: Target,
        ab: [Source; 2],
        position: Source,
        length: Source,
    },
    Bits3 {
        op: Bits3,
        d: Target,
        abc: [Source; 3],
    },
    Float1 {
        op: Float1,
        mode: FloatMode,
        ty: Type,
        d: Target,
        a: Source,
    },
    Float2 {
        op: Float2,
        mode: FloatMode,
        ty: Type,
        d: Target,
        ab: [Source; 2],
    },
    /// `fma`, and `mad` of floats.
    Fused {
        mode: FloatMode,
        ty: Type,
        d: Target,
        abc: [Source; 3],
    },
    /// `setp`: `p` takes the comparison, `q` its contrary, each combined with a predicate.
    Compare {
        comparison: Comparison,
        ty: Type,
        ftz: bool,
        combine: Option<(Logic, Condition)>,
        p: Target,
        q: Option<Target>,
        ab: [Source; 2],
    },
    /// A predicate as a value: 1.0 or all ones where it holds (`set`).
    Spread {
        float: bool,
        d: Target,
        predicate: Source,
    },
    TestFloat {
        class: FloatClass,
        ty: Type,
        p: Target,
        a: Source,
    },
    Select {
        file: File,
        d: Target,
        ab: [Source; 2],
        condition: Condition,
    },
    /// `slct`: `a` where `c` is not negative.
    SelectBySign {
        file: File,
        c: Type,
        ftz: bool,
        d: Target,
        ab: [Source; 2],
        by: Source,
    },
    Logic {
        op: Logic,
        p: Target,
        a: Condition,
        b: Condition,
    },
    Move {
        file: File,
        d: Target,
        a: Source,
    },
    Pack {
        parts: Parts<Source>,
        d: Target,
    },
    Unpack {
        parts: Parts<Option<Target>>,
        a: Source,
    },
    Special {
        special: Special,
        file: File,
        d: Target,
    },
    /// Address of a variable of the local frame.
    FrameAddress {
        file: File,
        d: Target,
        offset: u64,
    },
    Convert {
        to: Type,
        from: Type,
        mode: FloatMode,
        integral: bool,
        d: TargetIn,
        a: SourceIn,
    },
    /// `cvta`: adds or takes away the window of the space.
    ToGeneric {
        space: Space,
        file: File,
        d: Target,
        a: Source,
    },
    FromGeneric {
        space: Space,
        file: File,
        d: Target,
        a: Source,
    },
    IsSpace {
        space: Space,
        p: Target,
        a: SourceIn,
    },
    /// `mapa`: the address in another CTA of the cluster.
    Map {
        generic: bool,
        file: File,
        d: Target,
        a: Source,
        rank: Source,
    },
    /// `getctarank`: the CTA in whose shared memory an address lies.
    RankOf {
        generic: bool,
        file: File,
        d: Target,
        a: Source,
    },
    Access(Box<AccessForm>),
    /// `txq`, `suq`
    Query {
        query: Query,
        d: Target,
        handle: Source,
    },
    /// `mma`, `wmma.mma`
    Matrix(Box<MatrixForm>),
    /// `movmatrix`: rows become columns.
    Transpose {
        d: Target,
        a: Source,
    },
    /// For `wmma.load` and `wmma.store`.
    MatrixAddress(Box<MatrixAddress>),
    /// `cp.async`
    Copy(Box<CopyForm>),
    /// `cp.async.commit_group`
    CopyCommit,
    /// `cp.async.wait_group`: for all but so many of the newest groups. None: for all copies.
    CopyWait {
        newest: Option<u32>,
    },
    /// `cp.async.mbarrier.arrive`; without `.noinc` one more arrival is expected.
    CopyArrive {
        mbarrier: Box<AccessForm>,
        expects: bool,
    },
    /// `cp.async.bulk`, `st.async` and the like
    Bulk(Box<BulkForm>),
    /// `cp.async.bulk.commit_group`
    BulkCommit,
    /// `cp.async.bulk.wait_group`: for all but so many of the newest groups; with `reads` until they have been read.
    BulkWait {
        newest: u32,
        reads: bool,
    },
    ClusterBarrier(ClusterBarrier),
    Fence {
        order: Order,
        scope: Scope,
    },
    Barrier {
        kind: BarrierKind,
        id: Source,
        threads: Option<Source>,
        /// All lanes of a warp come to the same instruction.
        is_aligned: bool,
    },
    WarpSync {
        members: Source,
    },
    Vote {
        mode: Vote,
        p: Target,
        a: Condition,
        members: Option<Source>,
    },
    Ballot {
        d: Target,
        a: Condition,
        members: Option<Source>,
    },
    /// `match.any`; with `all`, `p` tells whether all agree.
    Match {
        all: bool,
        file: File,
        d: Target,
        p: Option<Target>,
        a: Source,
        members: Source,
    },
    Shuffle {
        mode: Shuffle,
        d: Target,
        p: Option<Target>,
        abc: [Source; 3],
        members: Option<Source>,
    },
    /// `redux.sync`: the members' values combined.
    Redux {
        op: Reduction,
        d: Target,
        a: Source,
        members: Source,
    },
    ActiveMask {
        d: Target,
    },
    /// Diverging lanes meet again at `reconverge`.
    Branch {
        target: u32,
        reconverge: u32,
    },
    /// Before the branches of `brx.idx`: the index is one of a list of so many targets.
    CheckIndex {
        index: Source,
        targets: u32,
    },
    /// `alloca`: room in local memory, until the function returns.
    AllocateLocal {
        file: File,
        d: Target,
        bytes: Source,
        align: u32,
    },
    /// `stacksave`: where such room begins.
    SaveLocal {
        file: File,
        d: Target,
    },
    /// `stackrestore`: gives up what was allocated since.
    RestoreLocal {
        file: File,
        a: Source,
    },
    Call(Box<Call>),
    /// Lanes that call different functions call them one after the other.
    CallIndirect(Box<IndirectCall>),
    Service(Service),
    /// Functions of shaders.
    Shader(ShaderCall),
    Return,
    Exit,
    Trap,
    /// `nanosleep`
    Sleep,
    /// Hints: `prefetch`.
    Nothing,
}
