//! Runs shaders as warps on memory that answers at once.

use super::Texture;
use super::frame::Frame;
use super::shader::Shader;
use super::texture::{Level, Sampler, level};
use crate::isa::{AccessKind, Space};
use crate::memory::{Device, Flat};
use crate::simt::{
    Access, Identity, LANES, Problem, Stage, Step, Surroundings, TextureRequest, Warp, lanes_of,
};
use crate::texture::Objects;

/// Instructions after which a warp is given up.
const WATCHDOG: u64 = 1 << 22;

/// Image of a texture unit.
#[derive(Debug, Clone, Copy)]
pub enum Unit<'a> {
    /// A texture.
    Texture(&'a Texture),
    /// A target that was drawn before.
    Target(Level<'a>, Sampler),
}

impl Unit<'_> {
    fn size(&self) -> [u32; 2] {
        let level = match self {
            Self::Texture(texture) => texture.level(0),
            Self::Target(level, _) => *level,
        };
        [level.width, level.height]
    }

    fn is_flat(&self) -> bool {
        matches!(self, Self::Target(..))
            || matches!(self, Self::Texture(texture) if texture.is_flat())
    }

    fn sample(&self, number: u32, u: f32, v: f32) -> u32 {
        match self {
            Self::Texture(texture) => texture.level(number).sample(texture.sampler, u, v),
            Self::Target(level, sampler) => level.sample(*sampler, u, v),
        }
    }
}

/// One warp's work.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The shader.
    pub shader: &'a Shader,
    /// Contents of the parameter space.
    pub parameters: &'a [u8],
    /// Texture units.
    pub units: &'a [Unit<'a>],
    /// Lanes, from 0 on.
    pub lanes: u32,
    /// Lanes are pixels of quads, four each.
    pub in_quads: bool,
}

/// Shader cores, which run one warp after the other.
#[derive(Debug)]
pub struct Cores {
    memory: Flat,
    /// Constants of the shader that ran last, and its address.
    constants: (usize, Flat),
    warp: Option<Warp>,
    access: Box<Access>,
    stage: Box<Stage>,
    /// Instructions of all warps.
    pub instructions: u64,
    /// Warps.
    pub warps: u64,
}

impl Cores {
    /// Cores whose memory has the frame's buffers.
    pub fn new(frame: &Frame) -> Self {
        Self {
            memory: Flat::new(frame.device.clone(), &[]),
            constants: (0, Flat::default()),
            warp: None,
            access: Box::default(),
            stage: Box::default(),
            instructions: 0,
            warps: 0,
        }
    }

    /// Global memory.
    pub fn device(&self) -> &Device {
        &self.memory.device
    }

    /// Inputs and outputs of the next warp, and afterwards of the last one; so many rows of each.
    pub fn stage(&mut self, inputs: usize, outputs: usize) -> &mut Stage {
        self.stage.inputs.resize(inputs, [0; LANES]);
        self.stage.outputs.clear();
        self.stage.outputs.resize(outputs, [0; LANES]);
        self.stage.discarded = 0;
        &mut self.stage
    }

    /// Outputs of the last warp.
    pub fn made(&self) -> &Stage {
        &self.stage
    }

    /// Runs a warp to its end.
    ///
    /// # Errors
    /// The line of the instruction that went wrong, with the file.
    pub fn run(&mut self, work: &Work<'_>) -> Result<(), String> {
        let (image, kernel) = (&work.shader.image, work.shader.kernel());
        let address = std::ptr::from_ref(image) as usize;
        if self.constants.0 != address {
            self.constants = (address, Flat::new(Device::default(), &image.program.constants));
        }
        let identity = Identity { block: [work.lanes, 1, 1], grid: [1; 3], ..Identity::default() };
        let mut warp = match self.warp.take() {
            Some(mut warp) => {
                warp.restart(image, kernel, identity);
                warp
            }
            None => Warp::new(image, kernel, identity),
        };
        warp.set_stage(std::mem::take(&mut self.stage));
        let ended = self.steps(work, &mut warp);
        self.stage = warp.take_stage().unwrap_or_default();
        self.instructions += warp.executed();
        self.warps += 1;
        self.warp = Some(warp);
        ended.map_err(|(pc, problem)| {
            let (file, line) = (&image.program.file, image.program.lines.get(pc).unwrap_or(&0));
            format!("kernel {}, {file}:{line}: {problem}", image.program.body(kernel).name)
        })
    }

    fn steps(&mut self, work: &Work<'_>, warp: &mut Warp) -> Result<(), (usize, String)> {
        let Work { shader, parameters, .. } = *work;
        let around = Surroundings {
            image: &shader.image,
            parameters,
            objects: &Objects::new(),
            clock: 0,
            warnings: None,
        };
        loop {
            let pc = warp.paths().next().map_or(0, |path| path.pc as usize);
            let step = warp.step(around, &mut self.access);
            match step.map_err(|(_, problem)| (pc, problem.to_string()))? {
                Step::Access => {
                    self.answer().map_err(|(_, problem)| (pc, problem.to_string()))?;
                    warp.complete(&mut self.access);
                }
                Step::Texture(request) => {
                    let colors = sample(work, &request).map_err(|what| (pc, what))?;
                    warp.textured(&request, &colors);
                }
                Step::Exited => return Ok(()),
                _ => {}
            }
            if warp.executed() > WATCHDOG {
                return Err((
                    pc,
                    format!("a warp has executed {WATCHDOG} instructions (watchdog)"),
                ));
            }
        }
    }

    /// Loads from global or const memory. Generic stores to them are found here.
    fn answer(&mut self) -> Result<(), (usize, Problem)> {
        let access = &mut *self.access;
        let first = access.mask.trailing_zeros() as usize % LANES;
        if access.kind != AccessKind::Load {
            let address = access.addresses[first];
            return Err((first, Problem::ReadOnly { space: access.space, address }));
        }
        if access.space == Space::Const {
            return self.constants.1.access(0, access);
        }
        // Most loads are of what a whole draw has in common.
        let (mask, address) = (access.mask, access.addresses[first]);
        if lanes_of(mask).any(|lane| access.addresses[lane] != address) {
            return self.memory.access(0, access);
        }
        access.mask = 1 << first;
        let answered = self.memory.access(0, access);
        access.mask = mask;
        for data in access.data.iter_mut().take(access.elements.into()) {
            *data = [data[first]; LANES];
        }
        answered
    }
}

/// The colours that the lanes ask for.
fn sample(work: &Work<'_>, request: &TextureRequest) -> Result<[u32; LANES], String> {
    let mut colors = [0; LANES];
    let [u, v, bias] = [&request.u, &request.v, &request.bias].map(|row| row.map(f32::from_bits));
    // The level of a quad is the same in all its lanes, if they agree on the rest.
    let mut last = (usize::MAX, 0, 0.0, 0);
    for lane in lanes_of(request.mask) {
        let (first, unit) = (lane & !3, request.unit[lane]);
        let Some(texture) = work.units.get(unit as usize) else {
            let count = work.units.len();
            return Err(format!("texture unit {unit} without a texture: the draw has {count}"));
        };
        if (last.0, last.1) != (first, unit) || last.2 != bias[lane] {
            let whole = work.in_quads && request.mask >> first & 0b1111 == 0b1111;
            let apart = match whole {
                _ if texture.is_flat() => [[0.0; 2]; 2],
                true => derivatives(texture, [&u, &v], first),
                false => [[0.0; 2]; 2],
            };
            last = (first, unit, bias[lane], level(apart[0], apart[1], bias[lane]));
        }
        colors[lane] = texture.sample(last.3, u[lane], v[lane]);
    }
    Ok(colors)
}

/// Differences in texels from a quad's first pixel to the next one, across and down.
fn derivatives(texture: &Unit<'_>, places: [&[f32; LANES]; 2], first: usize) -> [[f64; 2]; 2] {
    let size = texture.size().map(f64::from);
    [1, 2].map(|other| {
        [0, 1].map(|axis| {
            let [from, to] = [first, first + other].map(|at| f64::from(places[axis][at]));
            (to - from) * size[axis]
        })
    })
}
