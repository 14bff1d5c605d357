//! Shader stage of a warp: inputs, outputs, textures.

use super::access::lanes_of;
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes};
use super::step::Step;
use super::warp::Warp;
use crate::isa::{ShaderCall, Source, Target};

/// Inputs and outputs of a shader, in registers: as many as there are rows.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// Values of `__input`.
    pub inputs: Vec<Lanes<u32>>,
    /// Values of `__output`; zero before.
    pub outputs: Vec<Lanes<u32>>,
    /// Lanes that have called `__discard`.
    pub discarded: u32,
}

/// `__texture`, in all lanes that call it.
#[derive(Debug, Clone, Copy)]
pub struct TextureRequest {
    /// Lanes that call it.
    pub mask: u32,
    /// Texture units.
    pub unit: Lanes<u32>,
    /// Places, as the bits of floats. Those of other lanes are what their registers hold.
    pub u: Lanes<u32>,
    /// The same.
    pub v: Lanes<u32>,
    /// Added to the level.
    pub bias: Lanes<u32>,
    d: Option<Target>,
}

impl ShaderCall {
    /// The function's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Input { .. } => "__input",
            Self::Output { .. } => "__output",
            Self::Discard => "__discard",
            Self::Texture { .. } => "__texture",
        }
    }
}

impl Warp {
    /// Takes inputs and outputs for a shader.
    pub fn set_stage(&mut self, stage: Box<Stage>) {
        self.stage = Some(stage);
    }

    /// Gives them back.
    pub fn take_stage(&mut self) -> Option<Box<Stage>> {
        self.stage.take()
    }

    /// Executes a function of shaders. On a problem, the lane it is in.
    pub(super) fn shader(
        &mut self,
        call: &ShaderCall,
        mask: u32,
        image: &Image,
    ) -> Result<Step, (usize, Problem)> {
        let first = mask.trailing_zeros() as usize % LANES;
        let row = |source: Source| *self.row::<u32>(image, source);
        let Some(stage) = &self.stage else { return Err((first, Problem::NoStage(call.name()))) };
        match *call {
            ShaderCall::Input { number, d } => {
                let mut values = [0; LANES];
                for (asked, lanes) in same(&row(number), mask) {
                    let (name, all) = ("__input", stage.inputs.len());
                    let missing = Problem::NoRow { name, number: asked, rows: all };
                    let inputs = stage.inputs.get(asked as usize).ok_or((first, missing))?;
                    lanes_of(lanes).for_each(|lane| values[lane] = inputs[lane]);
                }
                if let Some(d) = d {
                    self.registers.write(d, mask, &values);
                }
            }
            ShaderCall::Output { number, value } => {
                let (numbers, values) = (row(number), row(value));
                for (number, lanes) in same(&numbers, mask) {
                    let stage = self.stage.as_mut().expect("checked above");
                    let rows = stage.outputs.len();
                    let outputs = stage.outputs.get_mut(number as usize);
                    let outputs = outputs
                        .ok_or((first, Problem::NoRow { name: "__output", number, rows }))?;
                    lanes_of(lanes).for_each(|lane| outputs[lane] = values[lane]);
                }
            }
            ShaderCall::Discard => {
                if let Some(stage) = &mut self.stage {
                    stage.discarded |= mask;
                }
            }
            ShaderCall::Texture { unit, u, v, bias, d } => {
                let [unit, u, v, bias] = [unit, u, v, bias].map(row);
                return Ok(Step::Texture(Box::new(TextureRequest { mask, unit, u, v, bias, d })));
            }
        }
        Ok(Step::Done)
    }

    /// Takes the colours that a texture unit gives.
    pub fn textured(&mut self, request: &TextureRequest, colors: &Lanes<u32>) {
        if let Some(d) = request.d {
            self.registers.write(d, request.mask, colors);
        }
    }
}

/// The lanes of a mask by their value: nearly always one group.
fn same(values: &Lanes<u32>, mask: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
    let values = *values;
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let value = values[left.trailing_zeros() as usize];
        let group = (0..LANES).fold(0, |all, lane| all | u32::from(values[lane] == value) << lane);
        let group = group & left;
        left &= !group;
        Some((value, group))
    })
}
