//! A capture in a folder: `capture.json` says what happened, files of bytes hold what was written. `docs/captures.md`.

use std::collections::HashMap;
use std::path::Path;

use pipeline::format::texture_formats;
use pipeline::names::Name;
use serde::{Deserialize, Serialize};
use wgpu_types::{TextureFormat, TextureUsages};

use super::record::PAGE;
use super::{Capture, CaptureError, CapturedPicture, Step};
use crate::instance::{Instance, InstanceError};
use crate::picture::Conversion;

/// What the index calls the format.
const FORMAT: &str = "girih-capture";
/// The version that is read and written.
const VERSION: u32 = 1;
const INDEX: &str = "capture.json";
/// Pages that differ, one after another.
const PAGES: &str = "pages.bin";
/// Bytes of writes that are no whole pages.
const BYTES: &str = "bytes.bin";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    format: String,
    version: u32,
    device: String,
    memory_bytes: u64,
    steps: Vec<StepEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<PictureEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum StepEntry {
    Pages {
        address: u64,
        pages: Vec<u64>,
    },
    Write {
        address: u64,
        file: String,
        #[serde(default)]
        offset: u64,
        bytes: Option<u64>,
    },
    Execute {
        address: u64,
        words: u64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum PictureEntry {
    Image {
        address: u64,
        format: String,
        width: u32,
        height: u32,
        #[serde(default = "one")]
        layers: u32,
        #[serde(default = "one")]
        levels: u32,
        usage: Vec<String>,
    },
    Surface {
        address: u64,
        format: String,
        width: u32,
        height: u32,
        pitch: u64,
    },
    Target,
}

fn one() -> u32 {
    1
}

impl Capture {
    /// Writes the capture to a folder, which is made if there is none; a capture that is there is replaced.
    ///
    /// Errors: [`CaptureError::File`].
    pub fn save(&self, folder: &Path) -> Result<(), CaptureError> {
        std::fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))?;
        let (mut pages, mut bytes) = (Pages::default(), Vec::new());
        let steps = self.steps.iter().map(|step| match step {
            Step::Execute { address, words } => StepEntry::Execute {
                address: *address,
                words: *words,
            },
            Step::Write {
                address,
                bytes: new,
            } if new.len().is_multiple_of(PAGE) => StepEntry::Pages {
                address: *address,
                pages: new.chunks(PAGE).map(|page| pages.number(page)).collect(),
            },
            Step::Write {
                address,
                bytes: new,
            } => {
                let offset = bytes.len() as u64;
                bytes.extend_from_slice(new);
                StepEntry::Write {
                    address: *address,
                    file: BYTES.to_owned(),
                    offset,
                    bytes: Some(new.len() as u64),
                }
            }
        });
        let index = Index {
            format: FORMAT.to_owned(),
            version: VERSION,
            device: self.device.clone(),
            memory_bytes: self.memory_bytes,
            steps: steps.collect(),
            picture: self.picture.as_ref().map(picture_entry),
        };
        let json = serde_json::to_vec_pretty(&index).expect("an index is plain data");
        for (name, contents) in [(PAGES, &pages.bytes), (BYTES, &bytes), (INDEX, &json)] {
            let path = folder.join(name);
            std::fs::write(&path, contents).map_err(|error| file_error(&path, &error))?;
        }
        Ok(())
    }

    /// Reads a capture from a folder, whoever wrote it.
    ///
    /// Errors: [`CaptureError`] for files that cannot be read, an index of another format or version or without its
    /// fields, a device or a format that does not exist, and files that are too short.
    pub fn load(folder: &Path) -> Result<Capture, CaptureError> {
        let index = index(folder)?;
        if let Err(InstanceError::UnknownDevice { name, known }) =
            Instance.physical_device(&index.device)
        {
            return Err(CaptureError::UnknownDevice { name, known });
        }
        let mut files = Files {
            folder,
            contents: HashMap::new(),
        };
        let steps = index.steps.into_iter().enumerate();
        let steps = steps.map(|(step, entry)| files.step(step, entry));
        Ok(Capture {
            device: index.device,
            memory_bytes: index.memory_bytes,
            steps: steps.collect::<Result<_, _>>()?,
            picture: index.picture.map(picture).transpose()?,
        })
    }
}

/// The index, of a version that is read.
fn index(folder: &Path) -> Result<Index, CaptureError> {
    let path = folder.join(INDEX);
    let file = path.display().to_string();
    let text = std::fs::read(&path).map_err(|error| file_error(&path, &error))?;
    let wrong = |error: serde_json::Error| CaptureError::Index {
        file: file.clone(),
        reason: error.to_string(),
    };
    let json: serde_json::Value = serde_json::from_slice(&text).map_err(wrong)?;
    let (format, version) = (&json["format"], &json["version"]);
    if format != FORMAT || version != VERSION {
        return Err(CaptureError::Version {
            file,
            found: match format.as_str() {
                Some(format) => format!("{format}, version {version}"),
                None => "no capture".to_owned(),
            },
            version: VERSION,
        });
    }
    serde_json::from_value(json).map_err(wrong)
}

/// Files of a folder, each read once.
struct Files<'a> {
    folder: &'a Path,
    contents: HashMap<String, Vec<u8>>,
}

impl Files<'_> {
    fn step(&mut self, step: usize, entry: StepEntry) -> Result<Step, CaptureError> {
        match entry {
            StepEntry::Execute { address, words } => Ok(Step::Execute { address, words }),
            StepEntry::Write {
                address,
                file,
                offset,
                bytes,
            } => {
                let size = self.file(step, &file)?.len() as u64;
                let bytes = bytes.unwrap_or(size.saturating_sub(offset));
                let bytes = self.bytes(step, &file, offset, bytes)?.to_vec();
                Ok(Step::Write { address, bytes })
            }
            StepEntry::Pages { address, pages } => {
                let mut bytes = Vec::new();
                for page in pages {
                    let start = page.saturating_mul(PAGE as u64);
                    let page = self.bytes(step, PAGES, start, PAGE as u64)?;
                    bytes.extend_from_slice(page);
                }
                Ok(Step::Write { address, bytes })
            }
        }
    }

    fn bytes(
        &mut self,
        step: usize,
        name: &str,
        start: u64,
        bytes: u64,
    ) -> Result<&[u8], CaptureError> {
        let contents = self.file(step, name)?;
        let end = start.saturating_add(bytes);
        let size = contents.len() as u64;
        let found = contents.get(start as usize..end as usize);
        found.ok_or_else(|| CaptureError::FileSize {
            step,
            file: name.to_owned(),
            start,
            end,
            bytes: size,
        })
    }

    fn file(&mut self, step: usize, name: &str) -> Result<&[u8], CaptureError> {
        if Path::new(name).file_name() != Some(name.as_ref()) || name.contains('\\') {
            return Err(CaptureError::FileName {
                step,
                file: name.to_owned(),
            });
        }
        if !self.contents.contains_key(name) {
            let path = self.folder.join(name);
            let contents = std::fs::read(&path).map_err(|error| file_error(&path, &error))?;
            self.contents.insert(name.to_owned(), contents);
        }
        Ok(&self.contents[name])
    }
}

/// Pages, each once.
#[derive(Default)]
struct Pages {
    numbers: HashMap<Vec<u8>, u64>,
    bytes: Vec<u8>,
}

impl Pages {
    fn number(&mut self, page: &[u8]) -> u64 {
        if let Some(number) = self.numbers.get(page) {
            return *number;
        }
        let number = self.numbers.len() as u64;
        self.numbers.insert(page.to_vec(), number);
        self.bytes.extend_from_slice(page);
        number
    }
}

fn file_error(path: &Path, error: &std::io::Error) -> CaptureError {
    CaptureError::File {
        file: path.display().to_string(),
        reason: error.to_string(),
    }
}

fn picture_entry(picture: &CapturedPicture) -> PictureEntry {
    match *picture {
        CapturedPicture::Image {
            address,
            format,
            width,
            height,
            layers,
            levels,
            usage,
        } => PictureEntry::Image {
            address,
            format: format.name(),
            width,
            height,
            layers,
            levels,
            usage: usage.iter_names().map(|(name, _)| name.into()).collect(),
        },
        CapturedPicture::Surface {
            address,
            format,
            width,
            height,
            pitch,
        } => PictureEntry::Surface {
            address,
            format: format.name(),
            width,
            height,
            pitch,
        },
        CapturedPicture::Target => PictureEntry::Target,
    }
}

fn picture(entry: PictureEntry) -> Result<CapturedPicture, CaptureError> {
    match entry {
        PictureEntry::Image {
            address,
            format,
            width,
            height,
            layers,
            levels,
            usage,
        } => Ok(CapturedPicture::Image {
            address,
            format: format_of(&format)?,
            width,
            height,
            layers,
            levels,
            usage: usage_of(&usage)?,
        }),
        PictureEntry::Surface {
            address,
            format,
            width,
            height,
            pitch,
        } => Ok(CapturedPicture::Surface {
            address,
            format: format_of(&format)?,
            width,
            height,
            pitch,
        }),
        PictureEntry::Target => Ok(CapturedPicture::Target),
    }
}

fn usage_of(names: &[String]) -> Result<TextureUsages, CaptureError> {
    let mut usage = TextureUsages::empty();
    for name in names {
        usage |= TextureUsages::from_name(name).ok_or_else(|| CaptureError::Index {
            file: INDEX.to_owned(),
            reason: format!("there is no usage `{name}`"),
        })?;
    }
    Ok(usage)
}

/// The format that WebGPU calls so; hyphens may be missing.
fn format_of(name: &str) -> Result<TextureFormat, CaptureError> {
    let letters = |name: &str| name.replace('-', "").to_ascii_lowercase();
    let found = texture_formats().find(|format| letters(&format.name()) == letters(name));
    let wrong = |reason| CaptureError::Format {
        name: name.to_owned(),
        reason,
    };
    let format = found.ok_or_else(|| wrong("of which there is none"))?;
    match Conversion::of(format) {
        Some(_) => Ok(format),
        None => Err(wrong("which has no picture")),
    }
}
