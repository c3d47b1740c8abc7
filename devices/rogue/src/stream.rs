//! Control streams: words to typed commands, and to text. [Rogue 15.2]
//!
//! The type of a block is in bits 31:29. Index lists, links, returns and ends are the manual's; state comes as PPP
//! blocks, in memory or, with bit 28, behind their word. The words of PDS and VDM state updates are not public: here
//! they write registers in a row. Type 7, which the manual does not use, is this tree's: kicks, dispatches, fills, copies,
//! clears.

mod dump;
mod ppp;

pub use dump::dump;
pub use ppp::{PppError, fields as ppp_fields, header};

use isa::LoadWord;
use silicon::{Addr, Trap};

use crate::CHIP;
use crate::regs::{self, Registers};

/// Block types.
pub mod block {
    /// A PPP state block.
    pub const PPP_STATE_UPDATE: u32 = 0;
    /// Registers of programs and their inputs.
    pub const PDS_STATE_UPDATE: u32 = 1;
    /// Registers of the VDM.
    pub const VDM_STATE_UPDATE: u32 = 2;
    /// A draw.
    pub const INDEX_LIST: u32 = 3;
    /// Goes on elsewhere.
    pub const STREAM_LINK: u32 = 4;
    /// Comes back.
    pub const STREAM_RETURN: u32 = 5;
    /// The end.
    pub const STREAM_TERMINATE: u32 = 6;
    /// This tree's own.
    pub const JOB: u32 = 7;
}

/// What a block of type 7 does, in bits 28:24.
pub mod job {
    /// Writes registers of renders.
    pub const REGISTERS: u32 = 0;
    /// Begins a render: tiles start as the registers say.
    pub const BEGIN: u32 = 1;
    /// The 3D kick: runs the pixel phase of the render.
    pub const KICK: u32 = 2;
    /// Fills memory: address, words, value.
    pub const FILL: u32 = 3;
    /// Copies memory: from, to, bytes.
    pub const COPY: u32 = 4;
    /// Writes the clock.
    pub const CLOCK: u32 = 5;
    /// Clears a rectangle of a target in the order of the draws.
    pub const CLEAR: u32 = 6;
    /// Runs groups of compute tasks: how many along x, y and z.
    pub const DISPATCH: u32 = 7;
    /// The same with these numbers in memory: their address.
    pub const DISPATCH_INDIRECT: u32 = 8;
}

/// Presence bits of INDEX_LIST.
pub mod presence {
    /// There is an index buffer.
    pub const ADDRESS: u32 = 1 << 28;
    /// The number of indices follows.
    pub const COUNT: u32 = 1 << 27;
    /// The number of instances follows.
    pub const INSTANCES: u32 = 1 << 26;
    /// What is added to indices follows.
    pub const OFFSET: u32 = 1 << 25;
    /// The first index and the first instance follow.
    pub const START: u32 = 1 << 24;
    /// The address of the arguments follows.
    pub const INDIRECT: u32 = 1 << 23;
    /// The number of primitives of a part follows: not executed.
    pub const SPLIT: u32 = 1 << 22;
}

/// The block of state follows its word.
pub const INLINE: u32 = 1 << 28;

/// A draw. [Rogue 15.2 INDEX_LIST]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexList {
    /// Index buffer.
    pub indices: Option<u64>,
    /// log2 of the bytes of an index.
    pub index_size: u8,
    /// Topology.
    pub topology: u8,
    /// Indices, or vertices.
    pub count: u32,
    /// Instances.
    pub instances: u32,
    /// Added to indices.
    pub base_vertex: u32,
    /// First index, or first vertex.
    pub start: u32,
    /// First instance.
    pub start_instance: u32,
    /// Where the arguments are instead.
    pub indirect: Option<u64>,
}

/// What a clear writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clear {
    /// Words of the output registers of a target.
    Color(u32, [u32; 4]),
    /// Bits of a depth.
    Depth(u32),
    /// Stencil.
    Stencil(u8),
}

/// How many groups of compute tasks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupCount {
    /// Along x, y and z.
    Direct([u32; 3]),
    /// Three words at an address say so.
    Indirect(u64),
}

/// A block of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A PPP state block: its words.
    Ppp(Vec<u32>),
    /// Registers in a row.
    Registers(u32, Vec<u32>),
    /// A draw.
    Draw(IndexList),
    /// Goes on elsewhere.
    Link(u64),
    /// Comes back.
    Return,
    /// The end.
    Terminate,
    /// Begins a render.
    Begin,
    /// Runs the pixel phase.
    Kick,
    /// Fills words of memory.
    Fill(Addr, u64, u32),
    /// Copies bytes of memory.
    Copy([Addr; 2], u64),
    /// Writes the clock.
    Clock(Addr),
    /// Runs groups of compute tasks.
    Dispatch(GroupCount),
    /// Clears a rectangle: first column and line, and those behind the last.
    Clear([u32; 4], Clear),
}

/// Reads the blocks of a stream.
pub struct Reader<'a> {
    memory: LoadWord<'a>,
    /// Of the next word.
    pub at: u64,
    /// Behind the stream.
    pub end: u64,
}

impl<'a> Reader<'a> {
    /// The blocks from an address to another.
    pub fn new(memory: LoadWord<'a>, at: u64, end: u64) -> Reader<'a> {
        Reader { memory, at, end }
    }

    fn word(&mut self) -> Result<u32, Trap> {
        let at = self.at;
        if at >= self.end {
            return Err(self.trap(at, 0, "the stream ends inside a block"));
        }
        self.at += 4;
        let outside = || Trap::new(CHIP, at, 0, "the stream leaves video memory".to_owned());
        (self.memory)(at).ok_or_else(outside)
    }

    fn words(&mut self, count: u32) -> Result<Vec<u32>, Trap> {
        (0..count).map(|_| self.word()).collect()
    }

    fn trap(&self, at: u64, word: u32, reason: impl Into<String>) -> Trap {
        Trap::new(CHIP, at, word, reason.into())
    }

    /// The next block with its address and first word; none at the end.
    pub fn next_block(&mut self) -> Result<Option<(u64, u32, Command)>, Trap> {
        let at = self.at;
        if at >= self.end {
            return Ok(None);
        }
        let word = self.word()?;
        let command = self.block(at, word).map_err(|trap| Trap {
            address: at,
            word,
            ..trap
        })?;
        Ok(Some((at, word, command)))
    }

    fn block(&mut self, at: u64, word: u32) -> Result<Command, Trap> {
        let count = word >> 8 & 0xff;
        Ok(match word >> 29 {
            block::PPP_STATE_UPDATE if word & INLINE != 0 => Command::Ppp(self.words(count)?),
            block::PPP_STATE_UPDATE => {
                let first = u64::from(word & 0xff) << 32 | u64::from(self.word()?);
                let end = first + 4 * u64::from(count);
                Command::Ppp(Reader::new(self.memory, first, end).words(count)?)
            }
            block::PDS_STATE_UPDATE => {
                let first = word >> 16 & 0xfff;
                let programs = match first {
                    regs::USC_GS_CODE_LO.. => regs::GEOMETRY,
                    _ => regs::USC_VS_CODE_LO..regs::CR_SIZE,
                };
                self.registers((at, word), first, count, programs)?
            }
            block::VDM_STATE_UPDATE => {
                let first = word >> 16 & 0xfff;
                self.registers(
                    (at, word),
                    first,
                    count,
                    regs::VDM_CONTROL..regs::USC_VS_CODE_LO,
                )?
            }
            block::INDEX_LIST => Command::Draw(self.index_list(at, word)?),
            block::STREAM_LINK => {
                let low = self.word()?;
                Command::Link(u64::from(word & 0xff) << 32 | u64::from(low))
            }
            block::STREAM_RETURN => Command::Return,
            block::STREAM_TERMINATE => Command::Terminate,
            _ => self.job(at, word)?,
        })
    }

    fn registers(
        &mut self,
        (at, word): (u64, u32),
        first: u32,
        count: u32,
        range: std::ops::Range<u32>,
    ) -> Result<Command, Trap> {
        let known = |number: u32| range.contains(&number) && regs::find(number).is_some();
        if let Some(number) = (first..first + count).find(|number| !known(*number)) {
            return Err(self.trap(at, word, format!("the block has no register {number}")));
        }
        Ok(Command::Registers(first, self.words(count)?))
    }

    fn index_list(&mut self, at: u64, word: u32) -> Result<IndexList, Trap> {
        let mut list = IndexList {
            index_size: (word >> 17 & 3) as u8,
            topology: (word >> 8 & 0xf) as u8,
            instances: 1,
            ..IndexList::default()
        };
        if word & presence::SPLIT != 0 {
            return Err(self.trap(at, word, "split index lists are not executed"));
        }
        if word & presence::ADDRESS != 0 {
            let low = self.word()?;
            list.indices = Some(u64::from(word & 0xff) << 32 | u64::from(low));
        }
        if word & presence::COUNT != 0 {
            list.count = self.word()?;
        }
        if word & presence::INSTANCES != 0 {
            list.instances = self.word()?;
        }
        if word & presence::OFFSET != 0 {
            list.base_vertex = self.word()?;
        }
        if word & presence::START != 0 {
            (list.start, list.start_instance) = (self.word()?, self.word()?);
        }
        if word & presence::INDIRECT != 0 {
            let high = self.word()?;
            list.indirect = Some(u64::from(self.word()?) | u64::from(high) << 32);
        }
        Ok(list)
    }

    fn address(&mut self) -> Result<Addr, Trap> {
        let low = self.word()?;
        Ok(Addr(u64::from(low) | u64::from(self.word()?) << 32))
    }

    fn job(&mut self, at: u64, word: u32) -> Result<Command, Trap> {
        Ok(match word >> 24 & 0x1f {
            job::REGISTERS => {
                let (first, count) = (word >> 12 & 0xfff, word & 0xfff);
                self.registers((at, word), first, count, 0..regs::COUNT as u32)?
            }
            job::BEGIN => Command::Begin,
            job::KICK => Command::Kick,
            job::FILL => {
                let to = self.address()?;
                let words = self.address()?.0;
                Command::Fill(to, words, self.word()?)
            }
            job::COPY => {
                let ends = [self.address()?, self.address()?];
                Command::Copy(ends, self.address()?.0)
            }
            job::CLOCK => Command::Clock(self.address()?),
            job::DISPATCH => {
                let count = [self.word()?, self.word()?, self.word()?];
                Command::Dispatch(GroupCount::Direct(count))
            }
            job::DISPATCH_INDIRECT => Command::Dispatch(GroupCount::Indirect(self.address()?.0)),
            job::CLEAR => {
                let corners = [self.word()?, self.word()?];
                let values: [u32; 4] = [self.word()?, self.word()?, self.word()?, self.word()?];
                let [from, to] = corners.map(|corner| [corner & 0xffff, corner >> 16]);
                let what = match word & 0xff {
                    target @ 0..=7 => Clear::Color(target, values),
                    8 => Clear::Depth(values[0]),
                    9 => Clear::Stencil(values[0] as u8),
                    other => {
                        return Err(self.trap(at, word, format!("a clear of attachment {other}")));
                    }
                };
                Command::Clear([from[0], from[1], to[0], to[1]], what)
            }
            other => return Err(self.trap(at, word, format!("job {other} is not known"))),
        })
    }
}

/// Writes the registers of a PPP block.
pub fn write_ppp(words: &[u32], registers: &mut Registers) -> Result<(), PppError> {
    for (number, value) in ppp_fields(words)? {
        registers.set(number, value);
    }
    Ok(())
}
