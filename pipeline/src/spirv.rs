//! SPIR-V words in, naga module out.
//!
//! naga reads the SPIR-V that WebGPU can express. Ordinary Vulkan SPIR-V is brought to that form at the level of words:
//! combined image samplers become a texture and a sampler, `OpTerminateInvocation` becomes `OpKill`.

use spirv_webgpu_transform::{CorrectionMap, combimgsampsplitter};

use crate::error::{At, ShaderError};
use crate::front::messages::without_handles;

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;
const OP_TYPE_IMAGE: u32 = 25;
const OP_TYPE_SAMPLED_IMAGE: u32 = 27;
const OP_TYPE_POINTER: u32 = 32;
const OP_TYPE_ARRAY: u32 = 28;
const OP_KILL: u32 = 252;
const OP_TERMINATE_INVOCATION: u32 = 4416;
const UNIFORM_CONSTANT: u32 = 0;

/// What became of one binding of a group whose combined image samplers were split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// `DescriptorSet` in the source.
    pub group: u32,
    /// `Binding` in the source.
    pub from: u32,
    /// Binding of the texture after the split.
    pub texture: u32,
    /// Binding of the sampler after the split.
    pub sampler: u32,
}

/// Parses SPIR-V; notes the bindings that were split, in ascending order.
///
/// A binding above a split one of the same group moves up by the number of samplers inserted below it.
pub(crate) fn parse(words: &[u32], moved: &mut Vec<Moved>) -> Result<naga::Module, ShaderError> {
    check_form(words)?;
    crate::front::words::check(words)?;
    let mut words = words.to_vec();
    replace_terminate(&mut words);
    if combines_samplers(&words) {
        words = split(&words, moved)?;
    }
    let options = naga::front::spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        block_ctx_dump_prefix: None,
    };
    naga::front::spv::Frontend::new(words.iter().copied(), &options)
        .parse()
        .map_err(|error| {
            use naga::front::spv::Error;
            let message = without_handles(&error.to_string(), |_| "an object".to_owned());
            match error {
                Error::UnsupportedCapability(_)
                | Error::UnsupportedExtension(_)
                | Error::UnsupportedExtSet(_)
                | Error::UnsupportedBuiltIn(_)
                | Error::UnsupportedExecutionModel(_)
                | Error::UnsupportedStorageClass(_)
                | Error::UnsupportedType(_)
                | Error::UnsupportedImageDim(_)
                | Error::UnsupportedImageFormat(_)
                | Error::UnsupportedInstruction(..) => ShaderError::Unsupported {
                    feature: message,
                    at: At::default(),
                },
                _ => spirv_error(message),
            }
        })
}

fn spirv_error(message: impl Into<String>) -> ShaderError {
    ShaderError::Spirv {
        message: message.into(),
    }
}

/// Magic number, and instruction lengths that add up.
fn check_form(words: &[u32]) -> Result<(), ShaderError> {
    match words.first() {
        None => return Err(spirv_error("there are no words")),
        Some(&MAGIC) => {}
        Some(&word) => {
            return Err(spirv_error(format!(
                "word 0 is {word:#010x}, the magic number is {MAGIC:#010x}"
            )));
        }
    }
    if words.len() < HEADER_WORDS {
        return Err(spirv_error(format!(
            "there are {} words, the header alone has {HEADER_WORDS}",
            words.len()
        )));
    }
    let mut at = HEADER_WORDS;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if length == 0 || at + length > words.len() {
            return Err(spirv_error(format!(
                "the instruction at word {at} is {length} words long, {} are left",
                words.len() - at
            )));
        }
        at += length;
    }
    Ok(())
}

/// Opcode and operands of every instruction of a well-formed module.
pub(crate) fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER_WORDS..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let (this, next) = rest.split_at((first >> 16) as usize);
        rest = next;
        Some((first & 0xffff, &this[1..]))
    })
}

fn replace_terminate(words: &mut [u32]) {
    let mut at = HEADER_WORDS;
    while at < words.len() {
        let length = words[at] >> 16;
        if words[at] & 0xffff == OP_TERMINATE_INVOCATION {
            words[at] = length << 16 | OP_KILL;
        }
        at += length as usize;
    }
}

/// Whether a variable is a combined image sampler, or an array of them.
fn combines_samplers(words: &[u32]) -> bool {
    let mut combined = Vec::new();
    for (op, operands) in instructions(words) {
        match (op, operands) {
            (OP_TYPE_IMAGE, _) => {}
            (OP_TYPE_SAMPLED_IMAGE, [id, ..]) => combined.push(*id),
            (OP_TYPE_ARRAY, [id, element, ..]) if combined.contains(element) => combined.push(*id),
            (OP_TYPE_POINTER, [_, UNIFORM_CONSTANT, pointee]) if combined.contains(pointee) => {
                return true;
            }
            _ => {}
        }
    }
    false
}

fn split(words: &[u32], moved: &mut Vec<Moved>) -> Result<Vec<u32>, ShaderError> {
    let mut map = CorrectionMap::default();
    let words = combimgsampsplitter(words, &mut map)
        .map_err(|()| spirv_error("its combined image samplers cannot be split"))?;
    let mut groups: Vec<_> = map.sets.into_iter().flatten().collect();
    groups.sort_by_key(|(group, _)| *group);
    for (group, set) in groups {
        let mut bindings: Vec<_> = set.bindings.into_iter().collect();
        bindings.sort_by_key(|(binding, _)| *binding);
        let mut shift = 0;
        for (from, binding) in bindings {
            let inserted = binding.corrections.len() as u32;
            if inserted != 0 {
                let texture = from.saturating_add(shift);
                moved.push(Moved {
                    group,
                    from,
                    texture,
                    sampler: texture.saturating_add(1),
                });
            }
            shift += inserted;
        }
    }
    Ok(words)
}
