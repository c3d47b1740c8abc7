//! Fetch instructions from text.

use isa::text::Cursor;

use super::super::fetch::{Fetch, Tex, TexOp, TexSem, Vtx, VtxOp, VtxSem};
use super::super::words::{Elem, EndianSwap, FetchType, NumFormat, Select, SourceSelect};
use super::control::{flag, value};
use super::parse::number;

/// A register, `R5` or `R[5+AL]`, and the elements behind its point.
pub(super) fn register<'a>(cursor: &mut Cursor<'a>) -> Result<(u8, bool, &'a str), String> {
    let wrong = |here: String| format!("expected a register{here}");
    let here = cursor.here();
    let word = cursor.word().ok_or_else(|| wrong(here.clone()))?;
    let (name, elements) = word.split_once('.').unwrap_or((word, ""));
    if name == "R" && cursor.eat("[") {
        let gpr = number(cursor)?;
        cursor.expect("+")?;
        cursor.expect("AL")?;
        cursor.expect("]")?;
        let elements = after_bracket(cursor);
        return gpr_in_range(gpr).map(|gpr| (gpr, true, elements));
    }
    let gpr = name.strip_prefix('R').and_then(|n| n.parse::<u8>().ok());
    let gpr = gpr_in_range(gpr.ok_or_else(|| wrong(here))?)?;
    Ok((gpr, false, elements))
}

/// The elements after a bracket: `.xyzw`.
pub(super) fn after_bracket<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    match cursor.peek_word().and_then(|word| word.strip_prefix('.')) {
        Some(elements) => {
            cursor.word();
            elements
        }
        None => "",
    }
}

fn gpr_in_range(gpr: u8) -> Result<u8, String> {
    match gpr < 128 {
        true => Ok(gpr),
        false => Err(format!("R{gpr} is not below R128")),
    }
}

/// Four letters, each looked up.
fn four<T: Copy>(text: &str, find: impl Fn(&str) -> Option<T>) -> Result<[T; 4], String> {
    let wrong = || format!("`{text}` does not name four elements");
    let found: Option<Vec<T>> = text.chars().map(|c| find(&c.to_string())).collect();
    found
        .and_then(|found| found.try_into().ok())
        .ok_or_else(wrong)
}

/// Selects such as `xyz1`.
pub(super) fn selects(text: &str) -> Result<[Select; 4], String> {
    four(text, |name| {
        Select::ALL
            .iter()
            .copied()
            .find(|select| select.name() == name)
    })
}

/// An operand with a number behind letters: `t5`.
fn numbered(cursor: &mut Cursor<'_>, prefix: &str, limit: u8) -> Result<u8, String> {
    cursor.expect(",")?;
    let word = cursor.word().unwrap_or("");
    let number = word.strip_prefix(prefix).and_then(|n| n.parse().ok());
    number
        .filter(|n| *n <= limit)
        .ok_or_else(|| format!("expected {prefix}0 to {prefix}{limit}"))
}

/// The operands and flags of a vertex fetch.
pub(super) fn vtx(op: VtxOp, cursor: &mut Cursor<'_>) -> Result<Fetch, String> {
    let mut inst = Vtx {
        mega_fetch: false,
        mega_fetch_count: 0,
        use_const_fields: false,
        op,
        ..Vtx::new(0, 0, 0)
    };
    let elements = match op.sem() {
        VtxSem::Gpr => {
            let (gpr, relative, elements) = register(cursor)?;
            inst.dst = gpr | u8::from(relative) << 7;
            elements
        }
        VtxSem::Semantic => {
            cursor.expect("S")?;
            cursor.expect("[")?;
            inst.dst = number(cursor)?;
            cursor.expect("]")?;
            after_bracket(cursor)
        }
    };
    if !elements.is_empty() {
        inst = inst.with_selects(selects(elements)?);
    }
    cursor.expect(",")?;
    let (gpr, relative, elem) = register(cursor)?;
    (inst.src_gpr, inst.src_rel) = (gpr, relative);
    let found = Elem::ALL.iter().find(|own| own.name() == elem);
    inst.src_sel_x = *found.ok_or("the index is one element")?;
    inst.buffer_id = numbered(cursor, "fc", 255)?;
    while let Some((name, text)) = flag(cursor)? {
        let named = |own: &str| Some(own) == text;
        match name {
            "MEGA" | "MINI" => {
                let bytes: u8 = value(text)?;
                if !(1..=64).contains(&bytes) {
                    return Err(format!("{bytes} bytes are not 1 to 64"));
                }
                inst.mega_fetch_count = bytes - 1;
                inst.mega_fetch = name == "MEGA";
            }
            "OFFSET" => inst.offset = value(text)?,
            "FORMAT" => {
                let code: u8 = value(text)?;
                inst.data_format = Some(code)
                    .filter(|code| *code < 64)
                    .ok_or("no such format")?;
            }
            "NUM" => {
                let found = NumFormat::ALL.iter().find(|own| named(own.name()));
                inst.num_format_all = *found.ok_or("no such number format")?;
            }
            "ENDIAN" => {
                let found = EndianSwap::ALL.iter().find(|own| named(own.name()));
                inst.endian_swap = *found.ok_or("no such byte order")?;
            }
            "TYPE" => {
                let found = FetchType::ALL.iter().find(|own| named(own.name()));
                inst.fetch_type = *found.ok_or("no such type")?;
            }
            "SIGNED" => inst.format_comp_all = true,
            "NO_ZERO" => inst.srf_mode_all = true,
            "USE_CONST_FIELDS" => inst.use_const_fields = true,
            "NO_STRIDE" => inst.const_buf_no_stride = true,
            "WHOLE_QUAD" => inst.fetch_whole_quad = true,
            _ => return Err(format!("`{name}` means nothing here")),
        }
    }
    Ok(Fetch::Vtx(inst))
}

/// The operands and flags of a texture instruction.
pub(super) fn tex(op: TexOp, cursor: &mut Cursor<'_>) -> Result<Fetch, String> {
    let (gpr, relative, elements) = register(cursor)?;
    let mut inst = Tex::new(op, gpr, 0, 0, 0);
    inst.dst_rel = relative;
    if !elements.is_empty() {
        inst = inst.with_selects(selects(elements)?);
    }
    cursor.expect(",")?;
    let (gpr, relative, elements) = register(cursor)?;
    (inst.src_gpr, inst.src_rel) = (gpr, relative);
    if !elements.is_empty() {
        let sources = four(elements, |name| {
            SourceSelect::ALL
                .iter()
                .copied()
                .find(|select| select.name() == name)
        });
        inst = inst.with_sources(sources?);
    }
    inst.resource_id = numbered(cursor, "t", 255)?;
    let plain = matches!(
        op.sem(),
        TexSem::Size | TexSem::SetGradientsH | TexSem::SetGradientsV
    );
    if !plain || cursor.peek() == Some(',') {
        inst.sampler_id = numbered(cursor, "s", 31)?;
    }
    while let Some((name, text)) = flag(cursor)? {
        match name {
            "UNNORM" => {
                let text = text.unwrap_or("");
                let normalized = Elem::ALL.iter().map(|elem| !text.contains(elem.name()));
                let normalized: Vec<bool> = normalized.collect();
                let normalized = normalized.try_into().map_err(|_| "four elements")?;
                inst = inst.with_normalized(normalized);
            }
            "OFFSET" => {
                let mut cursor = Cursor::new(text.unwrap_or(""));
                inst.offset_x = offset(&mut cursor)?;
                cursor.expect(",")?;
                inst.offset_y = offset(&mut cursor)?;
                cursor.expect(",")?;
                inst.offset_z = offset(&mut cursor)?;
            }
            "LOD_BIAS" => {
                let bias: i8 = value(text)?;
                let fits = Some(bias).filter(|bias| (-64..64).contains(bias));
                inst.lod_bias = fits.ok_or("a bias is -64 to 63 sixteenths")?;
            }
            "WHOLE_QUAD" => inst.fetch_whole_quad = true,
            "BC_FRAC" => inst.bc_frac_mode = true,
            _ => return Err(format!("`{name}` means nothing here")),
        }
    }
    Ok(Fetch::Tex(inst))
}

fn offset(cursor: &mut Cursor<'_>) -> Result<i8, String> {
    let offset: i8 = number(cursor)?;
    let fits = Some(offset).filter(|offset| (-16..16).contains(offset));
    fits.ok_or_else(|| "an offset is -16 to 15 half texels".into())
}
