//! Words to instructions: opcode, result and operands of each. [SPIRV 2.3, 3.1]

use spirv::Op;

use crate::error::{At, ShaderError};
use crate::ir::Origin;

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;
/// Most words of a module.
const WORDS: usize = 1 << 20;
/// Ids are below this. [SPIRV 2.17]
const IDS: u32 = 0x40_0000;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inst {
    /// Its number in the module, from 0.
    pub(super) number: u32,
    pub(super) op: Op,
    /// Id of the result's type, 0 for none.
    pub(super) ty: u32,
    /// Id of the result, 0 for none.
    pub(super) id: u32,
    /// Where its operands are: those behind type and result.
    start: u32,
    end: u32,
    /// The line that it comes from.
    pub(super) origin: Origin,
}

/// The words of a module, cut into instructions.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<u32>,
    pub(super) insts: Vec<Inst>,
}

/// What is said of words that are no module.
pub(super) fn broken(message: impl Into<String>) -> ShaderError {
    ShaderError::Spirv {
        at: At::default(),
        message: message.into(),
    }
}

impl Words {
    /// Cuts a module; checks magic number, lengths and that opcodes are known.
    pub(super) fn cut(words: &[u32]) -> Result<Words, ShaderError> {
        match words.first() {
            None => return Err(broken("there are no words")),
            Some(&MAGIC) => {}
            Some(&word) => {
                return Err(broken(format!(
                    "word 0 is {word:#010x}, the magic number is {MAGIC:#010x}"
                )));
            }
        }
        if words.len() > WORDS {
            return Err(too_large("words of SPIR-V", words.len(), WORDS));
        }
        let Some(&bound) = words.get(3).filter(|_| words.len() >= HEADER_WORDS) else {
            return Err(broken(format!(
                "there are {} words, the header alone has {HEADER_WORDS}",
                words.len()
            )));
        };
        if bound > IDS {
            return Err(too_large("ids", bound as usize, IDS as usize));
        }
        let mut cut = Words {
            words: words.to_vec(),
            insts: Vec::new(),
        };
        let mut at = HEADER_WORDS;
        while at < words.len() {
            let length = (words[at] >> 16) as usize;
            if length == 0 || at + length > words.len() {
                return Err(broken(format!(
                    "the instruction at word {at} is {length} words long, {} are left",
                    words.len() - at
                )));
            }
            let inst = cut.instruction(at, length)?;
            for id in [inst.ty, inst.id] {
                if id >= bound && id != 0 {
                    return Err(cut.error(&inst, format!("the id bound is {bound}")));
                }
            }
            cut.insts.push(inst);
            at += length;
        }
        Ok(cut)
    }

    fn instruction(&self, at: usize, length: usize) -> Result<Inst, ShaderError> {
        let code = self.words[at] & 0xffff;
        let number = self.insts.len() as u32;
        let Some(op) = Op::from_u32(code) else {
            return Err(ShaderError::Unsupported {
                feature: format!("opcode {code} (instruction {number})"),
                at: At::default(),
            });
        };
        let (has_type, has_id) = results(op);
        let start = at + 1 + usize::from(has_type) + usize::from(has_id);
        let mut inst = Inst {
            number,
            op,
            ty: 0,
            id: 0,
            start: start as u32,
            end: (at + length) as u32,
            origin: Origin::default(),
        };
        if start > at + length {
            return Err(self.error(&inst, format!("it is {length} words long")));
        }
        let mut next = at + 1;
        if has_type {
            inst.ty = self.words[next];
            next += 1;
        }
        if has_id {
            inst.id = self.words[next];
        }
        if (has_type && inst.ty == 0) || (has_id && inst.id == 0) {
            return Err(self.error(&inst, "0 is no id"));
        }
        Ok(inst)
    }

    /// Who wrote the words: the generator and its version.
    pub(super) fn generator(&self) -> u32 {
        self.words[2]
    }

    /// The words behind type and result.
    pub(super) fn operands(&self, inst: &Inst) -> &[u32] {
        &self.words[inst.start as usize..inst.end as usize]
    }

    /// An error in an instruction.
    pub(super) fn error(&self, inst: &Inst, message: impl Into<String>) -> ShaderError {
        let message = message.into();
        let Inst { number, op, id, .. } = inst;
        broken(match id {
            0 => format!("instruction {number} (Op{op:?}): {message}"),
            _ => format!("instruction {number} (Op{op:?} %{id}): {message}"),
        })
    }

    /// The operand at a place.
    pub(super) fn operand(&self, inst: &Inst, at: usize) -> Result<u32, ShaderError> {
        let operands = self.operands(inst);
        operands.get(at).copied().ok_or_else(|| {
            let count = operands.len();
            self.error(
                inst,
                format!("it has {count} operands, {} are needed", at + 1),
            )
        })
    }

    /// A text among the operands, and the number of words that it takes.
    pub(super) fn text(&self, inst: &Inst, at: usize) -> Result<(String, usize), ShaderError> {
        let words = self.operands(inst).get(at..).unwrap_or(&[]);
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
        if bytes.len() >= 4 * words.len() {
            return Err(self.error(inst, "its text has no end"));
        }
        let length = bytes.len() / 4 + 1;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), length))
    }

    /// The ids among the operands of an instruction in a function.
    pub(super) fn ids(&self, inst: &Inst) -> Vec<u32> {
        let operands = self.operands(inst);
        let some = |places: &[usize]| {
            let ids = places.iter().filter_map(|at| operands.get(*at));
            ids.copied().collect()
        };
        let masked = |mask: usize| {
            let ids = operands.iter().enumerate();
            ids.filter(|(at, _)| *at != mask)
                .map(|(_, id)| *id)
                .collect()
        };
        match inst.op {
            Op::CompositeExtract | Op::Load | Op::BranchConditional | Op::Switch => some(&[0]),
            Op::CompositeInsert | Op::VectorShuffle | Op::Store | Op::CopyMemory => some(&[0, 1]),
            // The form of packed vectors follows.
            Op::SDot | Op::UDot | Op::SUDot => some(&[0, 1]),
            Op::Variable => some(&[1]),
            Op::ArrayLength => some(&[0]),
            Op::ExtInst => operands.get(2..).unwrap_or(&[]).to_vec(),
            Op::Phi | Op::Branch | Op::SelectionMerge | Op::LoopMerge | Op::Label => Vec::new(),
            Op::Line | Op::NoLine | Op::Nop | Op::Undef | Op::FunctionParameter => Vec::new(),
            Op::ImageWrite => masked(3),
            // Group operations are literals.
            op if matches!(op as u32, 342 | 349..=364) => masked(1),
            // Images that may be sparse take what the others take.
            op if matches!(op as u32, 305..=308 | 313 | 320) => masked(2),
            op if matches!(op as u32, 309..=312 | 314 | 315) => masked(3),
            Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageGather
            | Op::ImageDrefGather => masked(3),
            Op::ImageSampleImplicitLod
            | Op::ImageSampleExplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageFetch
            | Op::ImageRead => masked(2),
            _ => operands.to_vec(),
        }
    }
}

/// A limit that is exceeded.
pub(super) fn too_large(what: &'static str, needed: usize, limit: usize) -> ShaderError {
    ShaderError::TooLarge {
        what,
        needed: needed as u64,
        limit: limit as u64,
        at: At::default(),
    }
}

/// Whether an instruction says the type of a result, and has a result.
fn results(op: Op) -> (bool, bool) {
    match op {
        Op::Nop
        | Op::SourceContinued
        | Op::Source
        | Op::SourceExtension
        | Op::Name
        | Op::MemberName
        | Op::ModuleProcessed
        | Op::Line
        | Op::NoLine
        | Op::Extension
        | Op::MemoryModel
        | Op::EntryPoint
        | Op::ExecutionMode
        | Op::ExecutionModeId
        | Op::Capability
        | Op::TypeForwardPointer
        | Op::FunctionEnd
        | Op::Store
        | Op::CopyMemory
        | Op::CopyMemorySized
        | Op::Decorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorate
        | Op::MemberDecorateString
        | Op::GroupDecorate
        | Op::GroupMemberDecorate
        | Op::ImageWrite
        | Op::EmitVertex
        | Op::EndPrimitive
        | Op::EmitStreamVertex
        | Op::EndStreamPrimitive
        | Op::ControlBarrier
        | Op::MemoryBarrier
        | Op::AtomicStore
        | Op::LoopMerge
        | Op::SelectionMerge
        | Op::Branch
        | Op::BranchConditional
        | Op::Switch
        | Op::Kill
        | Op::Return
        | Op::ReturnValue
        | Op::Unreachable
        | Op::LifetimeStart
        | Op::LifetimeStop
        | Op::TerminateInvocation
        | Op::DemoteToHelperInvocation
        | Op::BeginInvocationInterlockEXT
        | Op::EndInvocationInterlockEXT
        | Op::RayQueryInitializeKHR
        | Op::RayQueryTerminateKHR
        | Op::RayQueryGenerateIntersectionKHR
        | Op::RayQueryConfirmIntersectionKHR
        | Op::SetMeshOutputsEXT
        | Op::EmitMeshTasksEXT
        | Op::AssumeTrueKHR => (false, false),
        Op::String
        | Op::ExtInstImport
        | Op::DecorationGroup
        | Op::Label
        | Op::TypeVoid
        | Op::TypeBool
        | Op::TypeInt
        | Op::TypeFloat
        | Op::TypeVector
        | Op::TypeMatrix
        | Op::TypeImage
        | Op::TypeSampler
        | Op::TypeSampledImage
        | Op::TypeArray
        | Op::TypeRuntimeArray
        | Op::TypeStruct
        | Op::TypeOpaque
        | Op::TypePointer
        | Op::TypeFunction
        | Op::TypeRayQueryKHR
        | Op::TypeUntypedPointerKHR
        | Op::TypeAccelerationStructureKHR => (false, true),
        _ => (true, true),
    }
}
