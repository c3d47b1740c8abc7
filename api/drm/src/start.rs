//! What is done when a program starts, and what it is told when it ends.

use std::env;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::card::{Card, Driver};
use crate::preload::card;

/// Whether the chip executed anything.
static SUBMITTED: AtomicBool = AtomicBool::new(false);

/// Notes that the chip executes something.
pub(crate) fn submitted() {
    SUBMITTED.store(true, Ordering::Relaxed);
}

/// Runs before the program's `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    let Some((card, _)) = card() else {
        return;
    };
    for driver in card.drivers {
        switch(driver);
    }
    // The first program of `girih run`; those that it starts need not say it again.
    if env::var_os("GIRIH_RUN_TELL").is_some() {
        // SAFETY: nothing but this thread runs before `main`.
        unsafe { env::remove_var("GIRIH_RUN_TELL") };
        tell(card);
    }
    // SAFETY: a function that lives as long as the library, which is never unloaded.
    unsafe { libc::atexit(end) };
}

/// Switches off what the chip does not execute, beside what the user asked of the driver.
fn switch(driver: &Driver) {
    let (name, off) = driver.switches;
    if off.is_empty() {
        return;
    }
    let value = match env::var(name) {
        Ok(given) if given.split(',').any(|part| off.starts_with(part)) => return,
        Ok(given) if !given.is_empty() => format!("{given},{off}"),
        _ => off.to_owned(),
    };
    // SAFETY: nothing but this thread runs before `main`.
    unsafe { env::set_var(name, value) };
}

/// Says which drivers there are, or ends the program where there is none.
fn tell(card: &Card) {
    let found: Vec<(&Driver, PathBuf)> = card
        .drivers
        .iter()
        .filter_map(|driver| Some((driver, find(driver)?)))
        .collect();
    if found.is_empty() {
        let wanted = card.drivers.iter().map(|driver| {
            let Driver { name, package, .. } = driver;
            format!("{name} (Debian package {package})")
        });
        let wanted: Vec<String> = wanted.collect();
        eprintln!(
            "girih: no driver of {} is installed: {}",
            card.device,
            wanted.join(" or ")
        );
        std::process::exit(1);
    }
    let found = found
        .iter()
        .map(|(driver, path)| format!("{} ({})", driver.name, path.display()));
    let found: Vec<String> = found.collect();
    eprintln!(
        "girih: {} as {}, for {}",
        card.device,
        card.interface.name(),
        found.join(", ")
    );
}

/// A driver's file, where the system looks for it.
fn find(driver: &Driver) -> Option<PathBuf> {
    let chosen = env::var_os("LIBGL_DRIVERS_PATH").map(|paths| {
        let name = Path::new(driver.file)
            .file_name()
            .unwrap_or_default()
            .to_owned();
        env::split_paths(&paths)
            .map(|folder| folder.join(&name))
            .collect::<Vec<_>>()
    });
    let machine = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
    let folders = [machine.as_str(), "/usr/lib64", "/usr/lib", "/usr/local/lib"];
    let usual = folders
        .iter()
        .map(|folder| Path::new(folder).join(driver.file));
    let mut places = chosen.unwrap_or_default().into_iter().chain(usual);
    places.find(|place| place.is_file())
}

/// Tells of a program that draws, but not with the card.
extern "C" fn end() {
    let loaded = |name: &CStr| {
        // SAFETY: a name that ends with 0; nothing is loaded that is not.
        !unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) }.is_null()
    };
    let draws = [c"libEGL.so.1", c"libGL.so.1", c"libvulkan.so.1"]
        .into_iter()
        .any(loaded);
    if draws && !SUBMITTED.load(Ordering::Relaxed) {
        eprintln!(
            "girih: the program ended without having used the card; what it drew came from elsewhere"
        );
    }
}
