//! Instructions to a module: names, decorations, types, constants, variables, functions and entry points, by id.
//! [SPIRV 2.4]

use std::collections::{BTreeMap, HashMap};

use spirv::{Capability, Decoration, ExecutionModel, Op, StorageClass};

use super::bindings::LaidOut;
use super::capabilities::is_seen;
use super::function::Function;
use super::types::Type;
use super::words::{Inst, Words};
use crate::error::ShaderError;
use crate::ir::{Slot, Stage, Text};

pub(super) type Result<T, E = ShaderError> = std::result::Result<T, E>;

/// A decoration and its operands.
pub(super) type Decorated = (u32, Vec<u32>);

/// A module that was read and checked; `lower` makes functions of its entry points.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) words: Words,
    /// By id: the instruction that defines it, plus 1.
    defined: Vec<u32>,
    names: HashMap<u32, String>,
    decorations: HashMap<u32, Vec<Decorated>>,
    members: HashMap<(u32, u32), Vec<Decorated>>,
    pub(super) types: HashMap<u32, Type>,
    /// How many types are inside each one.
    pub(super) nesting: HashMap<u32, usize>,
    /// What extended instructions of a set mean.
    pub(super) sets: HashMap<u32, Set>,
    /// Global variables, by id, in the order of the module.
    pub(super) variables: Vec<u32>,
    pub(super) functions: Vec<Function>,
    /// Functions by id.
    pub(super) function_of: HashMap<u32, usize>,
    pub(super) entries: Vec<Entry>,
    /// What a layout says of bindings.
    pub(super) layout: BTreeMap<Slot, LaidOut>,
    pub(super) text: Text,
    /// There are numbers of other than 32 bits.
    pub(super) sized: bool,
}

/// A set of extended instructions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    Glsl,
    /// Instructions without a meaning for what is computed.
    NonSemantic,
    Other(String),
}

/// An entry point.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) model: ExecutionModel,
    pub(super) function: u32,
    /// Number of the instruction that declares it.
    pub(super) inst: usize,
    /// Execution modes with their operands.
    pub(super) modes: Vec<(u32, Vec<u32>)>,
}

impl Entry {
    /// The stage, where it is one that the compiler knows.
    pub(super) fn stage(&self) -> Option<Stage> {
        match self.model {
            ExecutionModel::Vertex => Some(Stage::Vertex),
            ExecutionModel::Fragment => Some(Stage::Fragment),
            ExecutionModel::GLCompute => Some(Stage::Compute),
            ExecutionModel::Geometry => Some(Stage::Geometry),
            _ => None,
        }
    }
}

impl Module {
    /// Reads and checks a module.
    pub(super) fn read(words: &[u32]) -> Result<Module> {
        let mut module = Module {
            words: Words::cut(words)?,
            defined: Vec::new(),
            names: HashMap::new(),
            decorations: HashMap::new(),
            members: HashMap::new(),
            types: HashMap::new(),
            nesting: HashMap::new(),
            sets: HashMap::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            function_of: HashMap::new(),
            entries: Vec::new(),
            layout: BTreeMap::new(),
            text: Text::default(),
            sized: false,
        };
        module.capabilities()?;
        module.define()?;
        module.lines()?;
        let first = module.preamble()?;
        module.read_functions(first)?;
        module.check_entries()?;
        Ok(module)
    }

    /// Every id is defined once.
    fn define(&mut self) -> Result<()> {
        for inst in &self.words.insts {
            let id = inst.id as usize;
            if id == 0 {
                continue;
            }
            if self.defined.len() <= id {
                self.defined.resize(id + 1, 0);
            }
            if self.defined[id] != 0 {
                let first = self.defined[id] - 1;
                let message = format!("instruction {first} defines the same id");
                return Err(self.words.error(inst, message));
            }
            self.defined[id] = inst.number + 1;
        }
        Ok(())
    }

    /// Everything before the functions; the number of the first instruction of those.
    fn preamble(&mut self) -> Result<usize> {
        for at in 0..self.words.insts.len() {
            let inst = self.words.insts[at];
            let operands = self.words.operands(&inst).to_vec();
            let target = || self.words.operand(&inst, 0);
            match inst.op {
                Op::Function => return Ok(at),
                Op::MemoryModel => self.memory_model(&inst)?,
                Op::ExtInstImport => {
                    let name = self.words.text(&inst, 0)?.0;
                    let set = match name.as_str() {
                        "GLSL.std.450" => Set::Glsl,
                        name if name.starts_with("NonSemantic.") => Set::NonSemantic,
                        _ => Set::Other(name),
                    };
                    self.sets.insert(inst.id, set);
                }
                Op::EntryPoint => {
                    let Some(model) = ExecutionModel::from_u32(target()?) else {
                        return self.lacks(&inst, format!("execution model {}", target()?));
                    };
                    let entry = Entry {
                        name: self.words.text(&inst, 2)?.0,
                        model,
                        function: self.words.operand(&inst, 1)?,
                        inst: at,
                        modes: Vec::new(),
                    };
                    self.entries.push(entry);
                }
                Op::ExecutionMode | Op::ExecutionModeId => {
                    let (function, mode) = (target()?, self.words.operand(&inst, 1)?);
                    for entry in &mut self.entries {
                        if entry.function == function {
                            entry.modes.push((mode, operands[2..].to_vec()));
                        }
                    }
                }
                Op::Name => {
                    let name = self.words.text(&inst, 1)?.0;
                    self.names.insert(target()?, name);
                }
                Op::Decorate => {
                    let (target, what) = (target()?, self.words.operand(&inst, 1)?);
                    let list = self.decorations.entry(target).or_default();
                    list.push((what, operands[2..].to_vec()));
                }
                Op::MemberDecorate => {
                    let (target, member) = (target()?, self.words.operand(&inst, 1)?);
                    let what = self.words.operand(&inst, 2)?;
                    let list = self.members.entry((target, member)).or_default();
                    list.push((what, operands[3..].to_vec()));
                }
                Op::GroupDecorate => {
                    let group = self.decorations.get(&target()?).cloned();
                    for &target in &operands[1..] {
                        let list = self.decorations.entry(target).or_default();
                        list.extend(group.iter().flatten().cloned());
                    }
                }
                Op::GroupMemberDecorate => {
                    let group = self.decorations.get(&target()?).cloned();
                    for pair in operands[1..].chunks_exact(2) {
                        let list = self.members.entry((pair[0], pair[1])).or_default();
                        list.extend(group.iter().flatten().cloned());
                    }
                }
                Op::Variable => {
                    self.pointer(inst.ty)
                        .ok_or_else(|| self.error(&inst, "its type is no pointer"))?;
                    self.variables.push(inst.id);
                }
                Op::Nop
                | Op::Capability
                | Op::Line
                | Op::NoLine
                | Op::ExtInst
                | Op::Extension
                | Op::String
                | Op::Source
                | Op::SourceContinued
                | Op::SourceExtension
                | Op::MemberName
                | Op::ModuleProcessed
                | Op::DecorationGroup
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorateString
                | Op::TypeForwardPointer => {}
                op if super::uses::is_constant(op) => self.check_constant(&inst)?,
                _ => match self.read_type(&inst)? {
                    Some(ty) => self.keep_type(inst.id, ty)?,
                    None => return Err(self.error(&inst, "it stands outside of a function")),
                },
            }
        }
        Ok(self.words.insts.len())
    }

    /// They come first, as an instruction of one that is unknown may be of any form.
    fn capabilities(&self) -> Result<()> {
        let insts = self.words.insts.iter();
        for inst in insts.take_while(|inst| inst.op == Op::Capability) {
            self.capability(inst, self.words.operand(inst, 0)?)?;
        }
        Ok(())
    }

    fn memory_model(&self, inst: &Inst) -> Result<()> {
        match self.words.operands(inst) {
            // Logical addresses; GLSL450 or Vulkan.
            [0, 1 | 3, ..] => Ok(()),
            [addresses, memory, ..] => {
                let feature = format!("memory model {memory} with addressing model {addresses}");
                self.lacks(inst, feature)
            }
            _ => Err(self.error(inst, "it has two operands")),
        }
    }

    /// What a capability stands for is refused where it is used, if an instruction shows that; here, all others.
    fn capability(&self, inst: &Inst, capability: u32) -> Result<()> {
        match Capability::from_u32(capability) {
            None => self.lacks(inst, format!("capability {capability}")),
            Some(name) if !is_seen(name) => self.lacks(inst, format!("the capability {name:?}")),
            Some(_) => Ok(()),
        }
    }

    fn check_entries(&self) -> Result<()> {
        for entry in &self.entries {
            let inst = &self.words.insts[entry.inst];
            let Some(&function) = self.function_of.get(&entry.function) else {
                let message = format!("%{} is no function", entry.function);
                return Err(self.error(inst, message));
            };
            let function = &self.functions[function];
            if !function.params.is_empty() || self.types.get(&function.result) != Some(&Type::Void)
            {
                let message = "the function of an entry point takes and gives nothing";
                return Err(self.error(inst, message));
            }
        }
        Ok(())
    }

    /// The instruction that defines an id.
    pub(super) fn definition(&self, id: u32) -> Option<&Inst> {
        let number = self.defined.get(id as usize)?.checked_sub(1)?;
        self.words.insts.get(number as usize)
    }

    /// The name of an id in the source, or its number.
    pub(super) fn name(&self, id: u32) -> String {
        match self.names.get(&id).filter(|name| !name.is_empty()) {
            Some(name) => name.clone(),
            None => format!("%{id}"),
        }
    }

    /// `%id`, with the name where there is one.
    fn named(&self, inst: &Inst) -> String {
        match (inst.id, self.names.get(&inst.id)) {
            (0, _) => String::new(),
            (id, Some(name)) if !name.is_empty() => format!(" %{id} `{name}`"),
            (id, _) => format!(" %{id}"),
        }
    }

    /// A broken rule, in the words of an instruction.
    pub(super) fn error(&self, inst: &Inst, message: impl Into<String>) -> ShaderError {
        let (number, op, named) = (inst.number, inst.op, self.named(inst));
        let message = message.into();
        ShaderError::Spirv {
            message: format!("instruction {number} (Op{op:?}{named}): {message}"),
            at: self.text.locate(inst.origin),
        }
    }

    /// What no device has, at an instruction.
    pub(super) fn lacks<T>(&self, inst: &Inst, feature: impl Into<String>) -> Result<T> {
        let feature = feature.into();
        let (number, op, named) = (inst.number, inst.op, self.named(inst));
        Err(ShaderError::Unsupported {
            feature: format!("{feature} (instruction {number}, Op{op:?}{named})"),
            at: self.text.locate(inst.origin),
        })
    }

    /// The operands of a decoration.
    pub(super) fn decoration(&self, id: u32, what: Decoration) -> Option<&[u32]> {
        find(self.decorations.get(&id)?, what)
    }

    /// The operands of a decoration of a member.
    pub(super) fn member_decoration(&self, id: u32, at: u32, what: Decoration) -> Option<&[u32]> {
        find(self.members.get(&(id, at))?, what)
    }

    /// The first operand of a decoration.
    pub(super) fn decorated(&self, id: u32, what: Decoration) -> Option<u32> {
        self.decoration(id, what)?.first().copied()
    }

    /// Storage class and pointee of a pointer type.
    pub(super) fn pointer(&self, ty: u32) -> Option<(StorageClass, u32)> {
        match self.types.get(&ty)? {
            Type::Pointer(class, pointee) => Some((*class, *pointee)),
            _ => None,
        }
    }

    /// Storage class and pointee of a variable.
    pub(super) fn variable(&self, id: u32) -> Option<(StorageClass, u32)> {
        let inst = self.definition(id).filter(|inst| inst.op == Op::Variable)?;
        self.pointer(inst.ty)
    }
}

fn find(list: &[Decorated], what: Decoration) -> Option<&[u32]> {
    let mut found = list.iter().filter(|(found, _)| *found == what as u32);
    found.next().map(|(_, operands)| operands.as_slice())
}
