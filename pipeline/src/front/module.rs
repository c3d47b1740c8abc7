//! A naga module in; refuses types and blocks that nest deeper than the compiler recurses over.

use naga::{Block, Module, Statement, TypeInner};

use crate::error::{At, Location, ShaderError};

/// Most structures and arrays inside each other.
const TYPE_LEVELS: u32 = 127;
/// Most blocks inside each other.
const BLOCK_LEVELS: u32 = if cfg!(target_arch = "wasm32") {
    100
} else {
    1_000
};

/// Checks a module, valid or not.
pub(crate) fn check(module: &Module, text: Option<&str>) -> Result<(), ShaderError> {
    let too_deep = |what, needed, limit, span: naga::Span| {
        let range = text.zip(span.to_range());
        ShaderError::TooLarge {
            what,
            needed,
            limit,
            at: At(range.and_then(|(text, range)| Location::new(text, range))),
        }
    };
    // A type comes after those that it is made of.
    let mut levels: Vec<u32> = Vec::with_capacity(module.types.len());
    for (handle, ty) in module.types.iter() {
        let level = |base: naga::Handle<naga::Type>| levels.get(base.index()).copied().unwrap_or(0);
        let inside = match &ty.inner {
            TypeInner::Array { base, .. }
            | TypeInner::BindingArray { base, .. }
            | TypeInner::Pointer { base, .. } => level(*base),
            TypeInner::Struct { members, .. } => {
                members.iter().map(|m| level(m.ty)).max().unwrap_or(0)
            }
            _ => 0,
        };
        if inside == TYPE_LEVELS {
            let span = module.types.get_span(handle);
            let limit = TYPE_LEVELS.into();
            return Err(too_deep(
                "levels of types",
                u64::from(inside) + 1,
                limit,
                span,
            ));
        }
        levels.push(inside + 1);
    }
    let functions = module.functions.iter().map(|(_, function)| function);
    let entries = module.entry_points.iter().map(|point| &point.function);
    for function in functions.chain(entries) {
        if let Err(span) = blocks(&function.body) {
            let limit = BLOCK_LEVELS.into();
            return Err(too_deep(
                "levels of blocks",
                u64::from(BLOCK_LEVELS) + 1,
                limit,
                span,
            ));
        }
    }
    Ok(())
}

/// Where blocks are nested too deeply.
fn blocks(body: &Block) -> Result<(), naga::Span> {
    let mut open = vec![(body, 1)];
    while let Some((block, level)) = open.pop() {
        for (statement, span) in block.span_iter() {
            let mut inside: Vec<&Block> = Vec::new();
            match statement {
                Statement::Block(block) => inside.push(block),
                Statement::If { accept, reject, .. } => inside.extend([accept, reject]),
                Statement::Switch { cases, .. } => {
                    inside.extend(cases.iter().map(|case| &case.body));
                }
                Statement::Loop {
                    body, continuing, ..
                } => inside.extend([body, continuing]),
                _ => {}
            }
            if level == BLOCK_LEVELS && !inside.is_empty() {
                return Err(*span);
            }
            open.extend(inside.into_iter().map(|block| (block, level + 1)));
        }
    }
    Ok(())
}
