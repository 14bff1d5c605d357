//! Commands of a frame's file.

use toml::Spanned;

use super::file::{ClearFile, CommandFile, DrawFile};
use super::load::{Loader, Trouble, find};
use super::{Binding, Command, Draw, Stream};
use crate::graphics::{DEPTH_MOST, Shader, State, Viewport};

impl Loader<'_> {
    pub(super) fn commands(&mut self, commands: &[Spanned<CommandFile>]) -> Result<(), Trouble> {
        let mut attached = None;
        for command in commands {
            let at = command.span().start;
            let wrong = |what: String| (at, what);
            let it = command.get_ref();
            let made = self.command(it, (self.line)(at), attached).map_err(wrong)?;
            if let Command::Target { color, depth } = made {
                attached = Some((color, depth));
                self.frame.picture = color;
            }
            self.frame.commands.push(made);
        }
        Ok(())
    }

    fn command(
        &self,
        it: &CommandFile,
        line: usize,
        attached: Option<(usize, Option<usize>)>,
    ) -> Result<Command, String> {
        let given = [
            it.target.is_some(),
            it.viewport.is_some(),
            it.clear.is_some(),
            it.draw.is_some(),
            it.group_start,
            it.group_end,
        ];
        if given.iter().filter(|given| **given).count() != 1 {
            let known = "target, viewport, clear, draw, group_start, group_end";
            return Err(format!("a command is one of {known}"));
        }
        let attached = attached.ok_or("the first command is a target");
        if let Some(it) = &it.target {
            return self.attach(&it.color, it.depth.as_deref());
        }
        let (color, depth) = attached?;
        match (it.viewport, &it.clear, &it.draw) {
            (Some(viewport), ..) => self.viewport(viewport, color),
            (_, Some(it), _) => clear(it, depth.is_some()),
            (.., Some(it)) => Ok(Command::Draw(Box::new(self.draw(it, line, (color, depth))?))),
            _ if it.group_start => Ok(Command::GroupStart { line }),
            _ => Ok(Command::GroupEnd { line }),
        }
    }

    fn viewport(&self, viewport: Viewport, color: usize) -> Result<Command, String> {
        let target = &self.frame.targets[color];
        let fits = |from: u32, size: u32, most: u32| {
            size > 0 && from.checked_add(size).is_some_and(|end| end <= most)
        };
        let Viewport { x, y, width, height } = viewport;
        match fits(x, width, target.width) && fits(y, height, target.height) {
            true => Ok(Command::Viewport(viewport)),
            false => Err(format!(
                "viewport {width}x{height} at {x}, {y}: one within the target's {}x{} is accepted",
                target.width, target.height
            )),
        }
    }

    fn target_named(&self, name: &str) -> Result<usize, String> {
        find("target", name, self.frame.targets.iter().map(|target| target.name.as_str()))
    }

    fn attach(&self, color: &str, depth: Option<&str>) -> Result<Command, String> {
        let (number, depth) = (self.target_named(color)?, depth.map(|it| self.target_named(it)));
        let depth = depth.transpose()?;
        let target = &self.frame.targets[number];
        if target.is_depth {
            return Err(format!("`{color}` is a depth buffer: a target of rgba8 is accepted"));
        }
        if let Some(depth) = depth.map(|depth| &self.frame.targets[depth]) {
            if !depth.is_depth {
                return Err(format!(
                    "`{}` is no depth buffer: format d24s8 is accepted",
                    depth.name
                ));
            }
            if (depth.width, depth.height) != (target.width, target.height) {
                return Err(format!("`{}` has another size than `{color}`", depth.name));
            }
        }
        Ok(Command::Target { color: number, depth })
    }

    fn draw(
        &self,
        it: &DrawFile,
        line: usize,
        attached: (usize, Option<usize>),
    ) -> Result<Draw, String> {
        let known = self.frame.shaders.iter().map(|shader| shader.name.as_str());
        let shader = find("shader", &it.shader, known)?;
        let state = match &it.state {
            None => State::default(),
            Some(name) => *self.states.get(name).ok_or_else(|| {
                let mut known: Vec<_> = self.states.keys().map(String::as_str).collect();
                known.sort_unstable();
                format!("no state is named `{name}`; there are: {}", known.join(", "))
            })?,
        };
        if attached.1.is_none() && (state.depth.is_some() || state.stencil.is_some()) {
            return Err(
                "the state tests depth or stencil, but the target has no depth buffer".into()
            );
        }
        if it.opaque && !state.blend.is_none_or(|blend| blend.replaces_if_opaque()) {
            return Err("opaque = true: source factors one and src_alpha, target factors zero and one_minus_src_alpha are accepted".into());
        }
        let streams = it.vertices.iter().map(|name| self.stream(name));
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let floats: u32 = streams.iter().map(|stream| stream.floats).sum();
        if floats > 32 {
            return Err(format!("{floats} inputs of a vertex: at most 32 are accepted"));
        }
        let indices = it.indices.as_ref().map(|name| self.buffer_named(name)).transpose()?;
        if let Some(other) = indices.filter(|it| it.ty != "u32") {
            return Err(format!("indices of type {}: u32 is accepted", other.ty));
        }
        let vertices = streams.iter().map(|stream| stream.vertices).min();
        let most = indices.map(|it| (it.bytes / 4) as u32).or(vertices);
        let count = it.count.or_else(|| most?.checked_sub(it.first));
        let count = count.ok_or("a draw without buffers needs a count, and first within them")?;
        let shaders = &self.frame.shaders[shader];
        let parameters = |shader: &Shader| self.parameters(shader, &it.uniforms);
        let textures = it.textures.iter().map(|name| self.binding(name, attached));
        let draw = Draw {
            line,
            shader,
            state,
            topology: it.topology,
            streams,
            indices: indices.map(|it| it.address),
            first: it.first,
            count,
            parameters: [parameters(&shaders.vertex)?, parameters(&shaders.fragment)?],
            textures: textures.collect::<Result<_, _>>()?,
            is_opaque: it.opaque,
        };
        draw.check(&self.frame.device)?;
        Ok(draw)
    }

    fn stream(&self, name: &str) -> Result<Stream, String> {
        let buffer = self.buffer_named(name)?;
        let (Some(floats), "f32") = (buffer.stride, &*buffer.ty) else {
            return Err(format!("`{name}`: vertices are in buffers of type f32 with a stride"));
        };
        let vertices = (buffer.bytes / 4 / floats as usize) as u32;
        Ok(Stream { address: buffer.address, floats, vertices })
    }

    /// Addresses of buffers; a shader may take fewer than there are.
    fn parameters(&self, shader: &Shader, uniforms: &[String]) -> Result<Vec<u8>, String> {
        let kernel = shader.kernel();
        let mut bytes = vec![0; kernel.parameter_bytes as usize];
        if kernel.parameters.len() > uniforms.len() {
            let name = &shader.image.program.body(kernel).name;
            let (takes, given) = (kernel.parameters.len(), uniforms.len());
            return Err(format!("{given} uniforms: {name} takes {takes}"));
        }
        for (parameter, name) in kernel.parameters.iter().zip(uniforms) {
            let address = self.buffer_named(name)?.address;
            bytes[parameter.offset as usize..][..8].copy_from_slice(&address.to_le_bytes());
        }
        Ok(bytes)
    }

    fn binding(&self, name: &str, attached: (usize, Option<usize>)) -> Result<Binding, String> {
        if let Some(texture) = self.textures.iter().position(|other| other == name) {
            return Ok(Binding::Texture(texture));
        }
        let names = self.frame.targets.iter().map(|target| &target.name);
        let known = self.textures.iter().chain(names).map(String::as_str);
        let number = find("texture or target", name, known)? - self.textures.len();
        if number == attached.0 || self.frame.targets[number].is_depth {
            return Err(format!("`{name}` is drawn to or a depth buffer: it cannot be sampled"));
        }
        Ok(Binding::Target(number))
    }
}

fn clear(it: &ClearFile, has_depth: bool) -> Result<Command, String> {
    if !has_depth && (it.depth.is_some() || it.stencil.is_some()) {
        return Err("the target has no depth buffer to clear".into());
    }
    let depth = it.depth.map(|depth| match (0.0..=1.0).contains(&depth) {
        true => Ok((depth * f64::from(DEPTH_MOST)).round_ties_even() as u32),
        false => Err(format!("depth {depth}: 0 to 1 is accepted")),
    });
    let color = it.color.map(u32::from_le_bytes);
    Ok(Command::Clear { color, depth: depth.transpose()?, stencil: it.stencil })
}
