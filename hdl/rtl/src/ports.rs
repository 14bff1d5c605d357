//! The port image: the layout of a module's ports in a flat array of words.
//!
//! Every simulator of a module, native or Verilated, exchanges its ports through two arrays of
//! `u64` words, one for the inputs and one for the outputs. A port takes as many whole words as its
//! width needs, least significant word first, and bits above the width are zero. The clock is not
//! part of the image: a simulator makes the edge itself.

/// One port in an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortSlot {
    /// Name of the port in Verilog.
    pub name: String,
    /// Width in bits, at least 1.
    pub width: u32,
    /// Index of the port's first word in its image.
    pub offset: usize,
}

impl PortSlot {
    /// Number of words that the port takes.
    pub fn words(&self) -> usize {
        words(self.width)
    }

    /// The port's words within an image.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.words()
    }
}

/// The ports of a module, in declaration order, with their offsets in the two images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortLayout {
    /// Input ports, `rst` included, `clk` left out.
    pub inputs: Vec<PortSlot>,
    /// Output ports.
    pub outputs: Vec<PortSlot>,
}

impl PortLayout {
    /// Appends an input port of `width` bits.
    pub fn push_input(&mut self, name: impl Into<String>, width: u32) {
        push(&mut self.inputs, name.into(), width);
    }

    /// Appends an output port of `width` bits.
    pub fn push_output(&mut self, name: impl Into<String>, width: u32) {
        push(&mut self.outputs, name.into(), width);
    }

    /// Number of words in the input image.
    pub fn input_words(&self) -> usize {
        self.inputs.last().map_or(0, |p| p.range().end)
    }

    /// Number of words in the output image.
    pub fn output_words(&self) -> usize {
        self.outputs.last().map_or(0, |p| p.range().end)
    }

    /// The input port of that name.
    pub fn input(&self, name: &str) -> Option<&PortSlot> {
        self.inputs.iter().find(|p| p.name == name)
    }

    /// The output port of that name.
    pub fn output(&self, name: &str) -> Option<&PortSlot> {
        self.outputs.iter().find(|p| p.name == name)
    }
}

fn push(ports: &mut Vec<PortSlot>, name: String, width: u32) {
    let offset = ports.last().map_or(0, |p| p.range().end);
    ports.push(PortSlot { name, width, offset });
}

/// Number of 64-bit words that hold `width` bits.
pub const fn words(width: u32) -> usize {
    width.div_ceil(64) as usize
}
