//! SETTINGS of 2D packets: GUI_CONTROL, and the words that it announces. [R5xx 6.2.2]

use radeon::packets::Printer;

/// Prints GUI_CONTROL and the words that it announces; how many there are.
pub(super) fn print(printer: &mut Printer<'_>, words: &[u32]) -> usize {
    let (control, mut rest) = words.split_first().expect("a part has a word");
    printer.word(
        "GUI_CONTROL",
        *control,
        &super::shown(&gui::FIELDS, *control),
    );
    let Some(announced) = announced(*control) else {
        printer.line("a reserved brush or pixel");
        return 1;
    };
    for setting in announced {
        match rest.split_first() {
            Some((word, after)) => {
                printer.word(setting.name(), *word, &[]);
                rest = after;
            }
            None => printer.line("the packet ends here"),
        }
    }
    words.len() - rest.len()
}

/// GUI_CONTROL, which 2D packets write to DP_GUI_MASTER_CNTL.
pub mod gui {
    use crate::regs::Field;

    const fn field(name: &'static str, high: u32, low: u32, meaning: &'static str) -> Field {
        Field {
            name,
            address: 0x146c,
            stride: 0,
            high,
            low,
            reset: None,
            meaning,
        }
    }

    /// The body has the source's pitch and offset.
    pub const SRC_PITCH_OFF: Field = field("SRC_PITCH_OFF", 0, 0, "1 = in the body");
    /// The body has the destination's pitch and offset.
    pub const DST_PITCH_OFF: Field = field("DST_PITCH_OFF", 1, 1, "1 = in the body");
    /// The body has the end of the source's clip rectangle.
    pub const SRC_CLIPPING: Field = field("SRC_CLIPPING", 2, 2, "1 = in the body");
    /// The body has the destination's clip rectangle.
    pub const DST_CLIPPING: Field = field("DST_CLIPPING", 3, 3, "1 = in the body");
    /// What the brush is.
    pub const BRUSH_TYPE: Field = field(
        "BRUSH_TYPE",
        7,
        4,
        "0 8x8 mono;1 8x8 mono transparent;6 32x1 mono;7 32x1 mono transparent;10 8x8 colour;13 solid;14 solid;15 none",
    );
    /// Pixels of the destination.
    pub const DST_TYPE: Field = field(
        "DST_TYPE",
        11,
        8,
        "2 8 bpp;3 ARGB1555;4 RGB565;6 ARGB8888;7 RGB332;8 Y8;9 RGB8;11 VYUY;12 YVYU;14 AYUV444;15 ARGB4444",
    );
    /// Pixels of the source.
    pub const SRC_TYPE: Field = field(
        "SRC_TYPE",
        13,
        12,
        "0 mono opaque;1 mono transparent;3 as the destination",
    );
    /// Order of the bits of a word.
    pub const PIX_ORDER: Field = field("PIX_ORDER", 14, 14, "0 highest bit first;1 lowest first");
    /// Raster operation of pattern, source and destination.
    pub const ROP3: Field = field("WIN31_ROP", 23, 16, "ternary raster operation");
    /// Where the source is.
    pub const SRC_LOAD: Field = field(
        "SRC_LOAD",
        26,
        24,
        "2 video memory;3 host data;4 host data, rows of bytes",
    );
    /// Third bit of the source's type.
    pub const SRC_TYPE_2: Field = field("SRC_TYPE_2", 27, 27, "third bit of SRC_TYPE");
    /// Colour compare is off.
    pub const CLR_CMP_DIS: Field = field("GMC_CLR_CMP_FCN_DIS", 28, 28, "1 = compares off");
    /// The write mask is all ones.
    pub const WR_MSK_DIS: Field = field("GMC_WR_MSK_DIS", 30, 30, "1 = masks all ones");
    /// The body has the brush's origin.
    pub const BRUSH_FLAG: Field = field("BRUSH_FLAG", 31, 31, "1 = BRUSH_Y_X in the body");

    /// All of them, lowest first.
    pub const FIELDS: [Field; 14] = [
        SRC_PITCH_OFF,
        DST_PITCH_OFF,
        SRC_CLIPPING,
        DST_CLIPPING,
        BRUSH_TYPE,
        DST_TYPE,
        SRC_TYPE,
        PIX_ORDER,
        ROP3,
        SRC_LOAD,
        SRC_TYPE_2,
        CLR_CMP_DIS,
        WR_MSK_DIS,
        BRUSH_FLAG,
    ];
}

/// A word that GUI_CONTROL announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Pitch and offset of the source.
    SrcPitchOffset,
    /// Pitch and offset of the destination.
    DstPitchOffset,
    /// End of the source's clip rectangle.
    SrcScBotRite,
    /// Start of the destination's clip rectangle.
    ScTopLeft,
    /// End of the destination's clip rectangle.
    ScBotRite,
    /// Background colour of a mono brush.
    BkgrdColor,
    /// Foreground colour of a brush.
    FrgrdColor,
    /// Bits of a mono brush.
    MonoBmp,
    /// Pixels of a colour brush.
    ColorBmp,
    /// Origin of the brush.
    BrushYX,
}

impl Setting {
    /// Name as the manual has it.
    pub const fn name(self) -> &'static str {
        match self {
            Setting::SrcPitchOffset => "SRC_PITCH_OFFSET",
            Setting::DstPitchOffset => "DST_PITCH_OFFSET",
            Setting::SrcScBotRite => "SRC_SC_BOT_RITE",
            Setting::ScTopLeft => "SC_TOP_LEFT",
            Setting::ScBotRite => "SC_BOT_RITE",
            Setting::BkgrdColor => "BKGRD_COLOR",
            Setting::FrgrdColor => "FRGRD_COLOR",
            Setting::MonoBmp => "MONO_BMP",
            Setting::ColorBmp => "COLOR_BMP",
            Setting::BrushYX => "BRUSH_Y_X",
        }
    }
}

/// Bytes of a pixel of a DST_TYPE; none of reserved ones.
pub const fn pixel_bytes(dst_type: u32) -> Option<u32> {
    match dst_type {
        2 | 7 | 8 | 9 => Some(1),
        3 | 4 | 11 | 12 | 15 => Some(2),
        6 | 14 => Some(4),
        _ => None,
    }
}

/// The words after a GUI_CONTROL, in order; none when its brush or pixel is reserved.
pub fn announced(control: u32) -> Option<Vec<Setting>> {
    let mut words = Vec::new();
    let mut add = |field: crate::regs::Field, settings: &[Setting]| {
        if field.is_set(control) {
            words.extend(settings);
        }
    };
    add(gui::SRC_PITCH_OFF, &[Setting::SrcPitchOffset]);
    add(gui::DST_PITCH_OFF, &[Setting::DstPitchOffset]);
    add(gui::SRC_CLIPPING, &[Setting::SrcScBotRite]);
    add(gui::DST_CLIPPING, &[Setting::ScTopLeft, Setting::ScBotRite]);
    use Setting::*;
    match gui::BRUSH_TYPE.get(control) {
        0 => words.extend([BkgrdColor, FrgrdColor, MonoBmp, MonoBmp]),
        1 => words.extend([FrgrdColor, MonoBmp, MonoBmp]),
        6 => words.extend([BkgrdColor, FrgrdColor, MonoBmp]),
        7 => words.extend([FrgrdColor, MonoBmp]),
        10 => {
            let bytes = pixel_bytes(gui::DST_TYPE.get(control))?;
            words.extend(std::iter::repeat_n(ColorBmp, 16 * bytes as usize));
        }
        13 | 14 => words.push(FrgrdColor),
        15 => {}
        _ => return None,
    }
    if gui::BRUSH_FLAG.is_set(control) {
        words.push(BrushYX);
    }
    Some(words)
}
