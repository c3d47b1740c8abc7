//! `girih run`: any program on a virtual GPU, through the system's own driver.
//!
//! The library of `girih-drm` is loaded into the program before libc and stands in for the kernel's driver; it knows which
//! devices have an open driver, and says what is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use crate::Failure;

/// What the library is called.
const LIBRARY: &str = "libgirih_drm.so";

/// Arguments of `girih run`.
#[derive(Args)]
pub struct Run {
    /// Device that the program sees.
    #[arg(long, value_name = "DEVICE")]
    device: String,
    /// Kernel driver that shows it; the first that knows the device when absent.
    #[arg(long = "as", value_name = "DRIVER", value_parser = ["radeon", "amdgpu"])]
    interface: Option<String>,
    /// Host threads that draw; as many as the machine has when absent.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Folder that gets a capture of all submissions, for `girih dump` and `girih replay`.
    #[arg(long, value_name = "FOLDER")]
    dump: Option<PathBuf>,
    /// Program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

impl Run {
    /// Runs the program; its exit code, or 1 where a signal ended it.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let library = library()?;
        let (program, arguments) = self.program.split_first().ok_or("no program is named")?;
        let path = find(program).ok_or_else(|| format!("{program}: there is no such program"))?;
        fits(&path, &library)?;
        if let Some(folder) = &self.dump {
            empty(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let mut command = Command::new(&path);
        command.args(arguments);
        command.env("GIRIH_RUN_DEVICE", &self.device);
        command.env("GIRIH_RUN_TELL", "1");
        set(&mut command, "GIRIH_RUN_AS", self.interface.as_deref());
        let threads = self.threads.map(|threads| threads.to_string());
        set(&mut command, "GIRIH_RUN_THREADS", threads.as_deref());
        let dump = self.dump.map(std::path::absolute).transpose()?;
        match dump {
            Some(folder) => command.env("GIRIH_RUN_DUMP", folder),
            None => command.env_remove("GIRIH_RUN_DUMP"),
        };
        let mut preload = library.into_os_string();
        if let Some(others) = std::env::var_os("LD_PRELOAD") {
            preload.push(":");
            preload.push(others);
        }
        command.env("LD_PRELOAD", preload);
        let status = command
            .status()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        if code.is_none() {
            crate::tell(&format!("girih: {program} ended: {status}"));
        }
        Ok(ExitCode::from(code.unwrap_or(1)))
    }
}

/// Makes a folder for captures; those that are there are replaced.
fn empty(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let below = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let below = below.filter(|path| path.join("capture.json").is_file());
    for folder in below.chain([folder.to_owned()]) {
        for name in ["capture.json", "pages.bin", "bytes.bin"] {
            match std::fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

fn set(command: &mut Command, name: &str, value: Option<&str>) {
    match value {
        Some(value) => command.env(name, value),
        None => command.env_remove(name),
    };
}

/// The library: where `GIRIH_DRM` says, or beside this program.
fn library() -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os("GIRIH_DRM") {
        let path = PathBuf::from(path);
        return match path.is_file() {
            true => Ok(path),
            false => Err(format!("GIRIH_DRM: there is no {}", path.display()).into()),
        };
    }
    let program = std::env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let places = [
        folder.join(LIBRARY),
        folder.join("deps").join(LIBRARY),
        folder.join("../lib").join(LIBRARY),
    ];
    let found = places.iter().find(|place| place.is_file()).cloned();
    found.ok_or_else(|| {
        let folder = folder.display();
        format!(
            "there is no {LIBRARY} in {folder}; `cargo build --release -p girih-drm` makes it, and GIRIH_DRM may say where it is"
        )
        .into()
    })
}

/// A program by its path, or by its name in PATH.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    places.find(|place| place.is_file())
}

/// Whether a program can load the library: both for the same machine. Scripts are left to their interpreters.
fn fits(program: &Path, library: &Path) -> Result<(), Failure> {
    let header = |path: &Path| -> Result<Vec<u8>, Failure> {
        use std::io::Read;
        let file = std::fs::File::open(path);
        let mut bytes = Vec::new();
        file.and_then(|file| file.take(20).read_to_end(&mut bytes))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(bytes)
    };
    let (ours, theirs) = (header(library)?, header(program)?);
    if !theirs.starts_with(b"\x7fELF") {
        return Ok(());
    }
    // Class and byte order, and the machine.
    let kind = |bytes: &[u8]| {
        (
            bytes.get(4..6).map(Vec::from),
            bytes.get(18..20).map(Vec::from),
        )
    };
    match kind(&ours) == kind(&theirs) {
        true => Ok(()),
        false => Err(format!(
            "{} is a program for another machine than {}",
            program.display(),
            library.display()
        )
        .into()),
    }
}
