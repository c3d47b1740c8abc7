//! `girih devices` and `girih isa`.

use clap::Args;
use girih::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
use serde::Serialize;

use crate::device;
use crate::differences;
use crate::{Failure, print};

/// Arguments of `girih devices`.
#[derive(Args)]
pub struct Devices {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// What a device is and can do.
#[derive(Serialize)]
pub struct Row {
    pub name: &'static str,
    title: &'static str,
    memory_bytes: u64,
    image_2d: u32,
    image_3d: u32,
    image_layers: u32,
    color_attachments: u32,
    vertex_attributes: u32,
    vertex_buffers: u32,
    vertex_stride: u32,
    varyings: u32,
    descriptor_sets: u32,
    push_constant_bytes: u32,
    uniform_range_bytes: u32,
    storage_range_bytes: u32,
    buffer_offset_align: u32,
    viewports: u32,
    indirect_draws: bool,
    wave_cost: u64,
    group_width: u32,
    group_height: u32,
    group_depth: u32,
    group_invocations: u32,
    group_shared_bytes: u32,
    group_count: u32,
    features: Vec<&'static str>,
    #[serde(skip)]
    lacking: Vec<&'static str>,
    pub formats: Vec<Format>,
}

/// A format and what the device can do with it.
#[derive(Serialize)]
pub struct Format {
    pub name: String,
    pub capabilities: Vec<&'static str>,
    pub sample_counts: Vec<u32>,
}

impl Devices {
    /// Lists the devices, and what differs between them.
    pub fn run(self) -> Result<(), Failure> {
        let devices = girih::Instance::new().physical_devices();
        let rows: Vec<Row> = devices.map(|device| row(&device)).collect();
        if self.json {
            return print(&(serde_json::to_string_pretty(&rows)? + "\n"));
        }
        let mut text = String::new();
        for row in &rows {
            let lacking = match row.lacking.as_slice() {
                [] => String::new(),
                names => format!(", without {}", names.join(", ")),
            };
            text.push_str(&format!("{:<20} {}{lacking}\n", row.name, row.title));
        }
        print(&(text + &differences::text(&rows)?))
    }
}

/// What the device can do with each format that it has.
fn formats(device: &girih::PhysicalDevice) -> Vec<Format> {
    let known = device.formats().map(|format| {
        let found = device.format_capabilities(format);
        Format {
            name: format!("{format:?}"),
            capabilities: found.names().collect(),
            sample_counts: (0..5)
                .map(|bit| 1 << bit)
                .filter(|count| found.has_samples(*count))
                .collect(),
        }
    });
    known
        .filter(|format| !format.capabilities.is_empty())
        .collect()
}

fn row(device: &girih::PhysicalDevice) -> Row {
    let info = device.info();
    let limits = &info.limits;
    let [group_width, group_height, group_depth] = limits.workgroup.size;
    let named = |wanted: bool| {
        let list = info.features.list().into_iter();
        list.filter(|(_, has)| *has == wanted)
            .map(|(name, _)| name)
            .collect()
    };
    Row {
        name: info.name,
        title: info.title,
        memory_bytes: limits.memory_bytes,
        image_2d: limits.image_2d,
        image_3d: limits.image_3d,
        image_layers: limits.image_layers,
        color_attachments: limits.color_attachments,
        vertex_attributes: limits.vertex_attributes,
        vertex_buffers: limits.vertex_buffers,
        vertex_stride: limits.vertex_stride,
        varyings: limits.varyings,
        descriptor_sets: MAX_DESCRIPTOR_SETS,
        push_constant_bytes: MAX_PUSH_CONSTANT_BYTES,
        uniform_range_bytes: limits.uniform_range_bytes,
        storage_range_bytes: limits.storage_range_bytes,
        buffer_offset_align: limits.buffer_offset_align,
        viewports: limits.viewports,
        indirect_draws: limits.indirect_draws,
        wave_cost: limits.wave_cost,
        group_width,
        group_height,
        group_depth,
        group_invocations: limits.workgroup.invocations,
        group_shared_bytes: limits.workgroup.shared_bytes,
        group_count: limits.workgroup.count,
        features: named(true),
        lacking: named(false),
        formats: formats(device),
    }
}

/// Arguments of `girih isa`.
#[derive(Args)]
pub struct Isa {
    /// Name of the device; the first one when absent.
    #[arg(value_name = "DEVICE", conflicts_with = "device")]
    name: Option<String>,
    /// The same.
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Stage, for devices whose stages have instruction sets of their own.
    #[arg(long)]
    stage: Option<String>,
    /// Prints rows of encoding, mnemonic and opcode, separated by commas.
    #[arg(long)]
    csv: bool,
}

impl Isa {
    /// Lists the instructions.
    pub fn run(self) -> Result<(), Failure> {
        let device = device::physical(self.name.as_deref().or(self.device.as_deref()))?;
        let rows = device.target().tools.rows(self.stage.as_deref())?;
        let mut text = String::new();
        for row in rows {
            let (encoding, mnemonic, opcode) = (row.encoding, row.mnemonic, row.opcode);
            text.push_str(&match self.csv {
                true => format!("{encoding},{mnemonic},{opcode}\n"),
                false => format!("{encoding:<8} {opcode:>4}  {mnemonic}\n"),
            });
        }
        print(&text)
    }
}
