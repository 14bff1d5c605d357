//! Shared memory of a kernel: the variables of the module and of device functions that it reaches,
//! then its own, then what the launch adds.

use std::ops::Range;

use super::super::cursor::Cursor;
use super::super::declaration::{Declaration, declarations};
use super::super::error::PtxError;
use super::super::layout::{Area, Shape, Trouble};
use super::super::outline::{FunctionOutline, skip};
use super::super::program::{ProgramVariable, RESERVED_SHARED};
use super::super::reach::Reach;
use super::super::scope::Variable;
use super::super::token::TokenKind;
use super::super::types::{Kind, Space, Type};
use super::{Lowering, at};

/// Beginning of the names of registers that tell where shared memory is reserved for the system.
pub(in crate::isa::lower) const RESERVED: &str = "%reserved_smem_offset_";
/// Bytes of it, as on hardware from `sm_80` on. There are none where nobody asks.
pub(in crate::isa::lower) const RESERVED_BYTES: u32 = 1024;

/// Most bytes of `.shared` variables; the machine decides what a CTA really has.
const MOST_SHARED: u32 = 1 << 20;

impl Lowering<'_> {
    /// Gives the shared variables that a kernel reaches their places; the bytes that they take.
    pub(super) fn place_shared(
        &mut self,
        reach: &Reach,
        kernel: &FunctionOutline,
    ) -> Result<u32, PtxError> {
        let outline = &self.module.outline;
        let of_module = outline.variables.iter().filter(|variable| {
            variable.space == Space::Shared && reach.shared.contains(&*variable.declaration.name)
        });
        // All in the order of the text, and the kernel's own last.
        let declared = of_module.map(|variable| variable.declaration.clone());
        let mut all: Vec<Declaration> = declared.collect();
        let in_module = all.clone();
        for number in &reach.functions {
            all.extend(self.declared_in(outline.functions[*number].body.clone())?);
        }
        all.sort_by_key(|declaration| declaration.tokens.start);
        all.extend(self.declared_in(kernel.body.clone())?);
        let mut area = Area::with_gaps(self.module.gap);
        if self.source.has(RESERVED) {
            // Cooperative groups of several warps meet there (cooperative_groups/details/memory.h).
            let ty = Type { kind: Kind::Bits, bytes: 1 };
            let bytes = RESERVED_BYTES.into();
            let shape = Shape { ty, bytes, align: 1, unsized_array: false };
            area.place(&shape, MOST_SHARED).map_err(|what| at(self.source, &kernel.head, what))?;
            let name = RESERVED_SHARED.to_string();
            let reserved = ProgramVariable { name, space: Space::Shared, offset: 0, bytes, ty };
            self.shared_variables.push(reserved);
        }
        for declaration in &all {
            let place = Shape::of(declaration)
                .and_then(|shape| Ok((shape, area.place(&shape, MOST_SHARED)?)));
            let (shape, offset) =
                place.map_err(|what| at(self.source, &declaration.tokens, what))?;
            if !shape.unsized_array {
                self.shared_variables.push(ProgramVariable {
                    name: declaration.name.clone(),
                    space: Space::Shared,
                    offset: offset.into(),
                    bytes: shape.bytes,
                    ty: shape.ty,
                });
            }
            // Those of one declaration have its beginning in common, but not their end.
            self.shared.insert(declaration.tokens.end, offset);
        }
        self.shared_bytes = area.bytes();
        let gap = if area.bytes() == 0 { 0 } else { self.module.gap };
        self.dynamic_shared_base = (area.bytes() + gap).next_multiple_of(16);
        for declaration in in_module {
            let placed = self.shared_variable(&declaration);
            let placed = placed.map_err(|what| at(self.source, &declaration.tokens, what))?;
            self.module_shared.insert(declaration.name, placed);
        }
        Ok(area.bytes())
    }

    /// The shared variables that a body declares.
    fn declared_in(&self, body: Option<Range<usize>>) -> Result<Vec<Declaration>, PtxError> {
        let mut all = Vec::new();
        let mut cursor = Cursor::new(self.source, body.unwrap_or_default());
        // The next token begins a statement; it does so behind `.loc`, too, which has no semicolon.
        let mut begins = true;
        while !cursor.is_done() {
            let start = cursor.at();
            if begins && cursor.take(b'.') && cursor.take_name("loc") {
                begins = skip(&mut cursor, "loc").is_ok();
                continue;
            }
            cursor.go_to(start);
            if begins && cursor.take(b'.') && cursor.take_name("shared") {
                let found = declarations(&mut cursor);
                all.extend(
                    found.map_err(|what| at(self.source, &self.source.statement(start), what))?,
                );
                begins = false;
                continue;
            }
            cursor.go_to(start);
            begins = matches!(cursor.kind(0), Some(TokenKind::Mark(b';' | b'{' | b'}' | b':')));
            cursor.go_to(start + 1);
        }
        Ok(all)
    }

    /// A shared variable that has its place.
    pub(super) fn shared_variable(&self, declaration: &Declaration) -> Result<Variable, Trouble> {
        let shape = Shape::of(declaration)?;
        if declaration.initialiser.is_some() {
            return Err("shared variables have no initial value".into());
        }
        let offset = match shape.unsized_array {
            true => self.dynamic_shared_base,
            false => self.shared.get(&declaration.tokens.end).copied().unwrap_or_default(),
        };
        let (offset, bytes) = (offset.into(), shape.bytes);
        Ok(Variable { space: Space::Shared, offset, in_frame: false, bytes })
    }
}
