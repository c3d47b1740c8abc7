//! Functions of libc that a program calls in libc's place, because this library was loaded before it.
//!
//! What concerns the node or its place in sysfs is answered here; all else goes on to libc. The functions with more than
//! two forms differ in the width of offsets, which is the same on machines of 64 bits.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_ulong, c_void};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use libc::{DIR, FILE, dirent, mode_t, off_t, size_t, ssize_t, stat as Status};

use crate::card::{Card, Settings};
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::lock::Lock;
use crate::tree::{self, Entry, NUMBERS};
use crate::{buffer, core, pinned, range};

/// The card that is shown; none if nobody asked for one, and everything goes to libc.
pub(crate) fn card() -> Option<&'static (Card, Settings)> {
    static CARD: OnceLock<Option<(Card, Settings)>> = OnceLock::new();
    CARD.get_or_init(|| match Card::from_env() {
        Ok(found) => found,
        Err(reason) => {
            eprintln!("girih: {reason}");
            std::process::exit(1);
        }
    })
    .as_ref()
}

/// Descriptors of the node.
static FILES: Lock<BTreeMap<c_int, Arc<File>>> = Lock::new(BTreeMap::new());
/// Which descriptors they are, a bit each, so that all others are told by one load.
static OURS: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

/// The place of a descriptor's bit.
fn bit(fd: c_int) -> Option<(&'static AtomicU64, u64)> {
    let fd = usize::try_from(fd).ok()?;
    Some((OURS.get(fd / 64)?, 1 << (fd % 64)))
}

fn is_ours(fd: c_int) -> bool {
    bit(fd).is_some_and(|(word, bit)| word.load(Ordering::Acquire) & bit != 0)
}

/// The opened node that a descriptor is of.
fn opened(fd: c_int) -> Option<Arc<File>> {
    is_ours(fd).then(|| FILES.lock().get(&fd).cloned())?
}

/// Notes what a descriptor is of.
fn note(fd: c_int, file: Option<Arc<File>>) {
    let Some((word, bit)) = bit(fd) else {
        return;
    };
    let mut files = FILES.lock();
    let before = match file {
        Some(file) => {
            word.fetch_or(bit, Ordering::AcqRel);
            files.insert(fd, file)
        }
        None => {
            word.fetch_and(!bit, Ordering::AcqRel);
            files.remove(&fd)
        }
    };
    drop(files);
    // The last one takes the chip down.
    drop(before);
}

/// The next function of a name, behind this library.
fn next(name: &CStr, known: &AtomicPtr<c_void>) -> *mut c_void {
    let found = known.load(Ordering::Relaxed);
    if !found.is_null() {
        return found;
    }
    // SAFETY: a name that ends with 0.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    known.store(found, Ordering::Relaxed);
    found
}

/// Calls libc's function of a name and type.
macro_rules! real {
    ($name:literal, fn($($kind:ty),*) -> $result:ty, $($argument:expr),*) => {{
        static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
        let found = next($name, &KNOWN);
        // SAFETY: libc's function of this name has this type.
        let call: unsafe extern "C" fn($($kind),*) -> $result = unsafe { std::mem::transmute(found) };
        // SAFETY: the caller's arguments, under libc's rules.
        unsafe { call($($argument),*) }
    }};
}

/// Leaves an error for the program.
fn failed<T>(errno: Errno, result: T) -> T {
    // SAFETY: the place of this thread's errno.
    unsafe { *libc::__errno_location() = errno.0 };
    result
}

/// What the card's tree has at a path of the program's.
///
/// # Safety
///
/// `path` is null or ends with 0.
unsafe fn found(path: *const c_char) -> Option<(String, Entry)> {
    if path.is_null() {
        return None;
    }
    // SAFETY: as the caller says.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    // Nearly all paths are of other places.
    if !path.starts_with(b"/dev/dri")
        && !path.starts_with(b"/sys/dev")
        && !path.starts_with(b"/sys/devices")
    {
        return None;
    }
    let (card, _) = card()?;
    tree::resolve(card, std::str::from_utf8(path).ok()?)
}

/// A file without a name that holds a text.
fn text_file(text: &str) -> Answer<OwnedFd> {
    // SAFETY: a name that ends with 0; the descriptor is new.
    let fd = unsafe { libc::memfd_create(c"girih".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(Errno::last());
    }
    // SAFETY: as above; the text is as long as it says.
    unsafe {
        let file = OwnedFd::from_raw_fd(fd);
        libc::write(fd, text.as_ptr().cast(), text.len());
        libc::lseek(fd, 0, libc::SEEK_SET);
        Ok(file)
    }
}

/// Opens what the tree has.
fn open_entry(entry: &Entry) -> Answer<c_int> {
    match entry {
        Entry::Node => {
            let (card, settings) = card().ok_or(Errno::NO_ENTRY)?;
            register_fork();
            let file = File::new(card, settings)?;
            let fd = text_file("")?.into_raw_fd();
            note(fd, Some(file));
            Ok(fd)
        }
        Entry::Text(text) => Ok(text_file(text)?.into_raw_fd()),
        Entry::Folder(_) | Entry::Link(_) => Err(Errno::NOT_ALLOWED),
    }
}

/// Takes the locks for a fork, so that the child finds them free.
fn register_fork() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    extern "C" fn before() {
        FILES.take();
        // SAFETY: this thread has just taken the lock, and gives it back in `after`.
        for file in distinct(unsafe { FILES.held() }) {
            file.take();
        }
        pinned::take();
    }
    extern "C" fn after() {
        pinned::give();
        // SAFETY: this thread took the lock in `before`, or is the copy of the one that did.
        for file in distinct(unsafe { FILES.held() }) {
            file.give();
        }
        FILES.give();
    }
    fn distinct(files: &BTreeMap<c_int, Arc<File>>) -> Vec<&Arc<File>> {
        let mut seen: Vec<&Arc<File>> = Vec::new();
        for file in files.values() {
            if !seen.iter().any(|other| Arc::ptr_eq(other, file)) {
                seen.push(file);
            }
        }
        seen
    }
    ONCE.call_once(|| {
        // SAFETY: functions that live as long as the library, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(after), Some(after)) };
    });
}

/// # Safety
///
/// As `open`.
unsafe fn open_path(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { found(path) } {
        Some((_, entry)) => open_entry(&entry).unwrap_or_else(|errno| failed(errno, -1)),
        None => real!(
            c"open64",
            fn(*const c_char, c_int, mode_t) -> c_int,
            path,
            flags,
            mode
        ),
    }
}

/// Functions that programs find instead of libc's.
macro_rules! stand_in {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty $body:block)*) => { $(
        $(#[$about])*
        ///
        /// # Safety
        ///
        /// As libc's function of this name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> $result $body
    )* };
}

stand_in! {
    /// `open`; `mode` is garbage that nobody reads where the program gave none.
    fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
        // SAFETY: as the caller says.
        unsafe { open_path(path, flags, mode) }
    }
    /// `open64`.
    fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
        // SAFETY: as the caller says.
        unsafe { open_path(path, flags, mode) }
    }
    /// `open` of programs that check sizes of buffers.
    fn __open_2(path: *const c_char, flags: c_int) -> c_int {
        // SAFETY: as the caller says.
        unsafe { open_path(path, flags, 0) }
    }
    /// `open64` of programs that check sizes of buffers.
    fn __open64_2(path: *const c_char, flags: c_int) -> c_int {
        // SAFETY: as the caller says.
        unsafe { open_path(path, flags, 0) }
    }
    /// `openat`: paths of the tree are absolute.
    fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
        // SAFETY: as the caller says.
        match unsafe { found(path) } {
            Some((_, entry)) => open_entry(&entry).unwrap_or_else(|errno| failed(errno, -1)),
            None => real!(c"openat64", fn(c_int, *const c_char, c_int, mode_t) -> c_int, folder, path, flags, mode),
        }
    }
    /// `openat64`.
    fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
        // SAFETY: as the caller says.
        unsafe { openat(folder, path, flags, mode) }
    }
    /// `close`.
    fn close(fd: c_int) -> c_int {
        if is_ours(fd) {
            note(fd, None);
        }
        real!(c"close", fn(c_int) -> c_int, fd)
    }
    /// `lseek`: drivers ask for the end of a buffer that they import, which is before the page that is ours.
    fn lseek(fd: c_int, offset: off_t, whence: c_int) -> off_t {
        let at = real!(c"lseek64", fn(c_int, off_t, c_int) -> off_t, fd, offset, whence);
        match whence == libc::SEEK_END && at > offset && card().is_some() && buffer::is_buffer(fd) {
            true => at - range::PAGE as off_t,
            false => at,
        }
    }
    /// `lseek64`.
    fn lseek64(fd: c_int, offset: off_t, whence: c_int) -> off_t {
        // SAFETY: as the caller says.
        unsafe { lseek(fd, offset, whence) }
    }
    /// `fopen`.
    fn fopen(path: *const c_char, mode: *const c_char) -> *mut FILE {
        // SAFETY: as the caller says.
        match unsafe { found(path) } {
            Some((_, entry)) => match open_entry(&entry) {
                // SAFETY: a new descriptor, and the mode that the caller gave.
                Ok(fd) => unsafe { libc::fdopen(fd, mode) },
                Err(errno) => failed(errno, std::ptr::null_mut()),
            },
            None => real!(c"fopen64", fn(*const c_char, *const c_char) -> *mut FILE, path, mode),
        }
    }
    /// `fopen64`.
    fn fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE {
        // SAFETY: as the caller says.
        unsafe { fopen(path, mode) }
    }
    /// `access`.
    fn access(path: *const c_char, mode: c_int) -> c_int {
        // SAFETY: as the caller says.
        match unsafe { found(path) } {
            Some(_) if mode & libc::X_OK == 0 => 0,
            Some(_) => failed(Errno::NOT_ALLOWED, -1),
            None => real!(c"access", fn(*const c_char, c_int) -> c_int, path, mode),
        }
    }
    /// `stat`.
    fn stat(path: *const c_char, out: *mut Status) -> c_int {
        // SAFETY: as the caller says.
        match unsafe { found(path) } {
            // SAFETY: as the caller says.
            Some((place, entry)) => unsafe { tell(&place, &entry, out) },
            None => real!(c"stat64", fn(*const c_char, *mut Status) -> c_int, path, out),
        }
    }
    /// `stat64`.
    fn stat64(path: *const c_char, out: *mut Status) -> c_int {
        // SAFETY: as the caller says.
        unsafe { stat(path, out) }
    }
    /// `lstat`.
    fn lstat(path: *const c_char, out: *mut Status) -> c_int {
        // SAFETY: as the caller says.
        match unsafe { link(path) } {
            Some((place, entry)) => unsafe { tell(&place, &entry, out) },
            None => real!(c"lstat64", fn(*const c_char, *mut Status) -> c_int, path, out),
        }
    }
    /// `lstat64`.
    fn lstat64(path: *const c_char, out: *mut Status) -> c_int {
        // SAFETY: as the caller says.
        unsafe { lstat(path, out) }
    }
    /// `fstat`.
    fn fstat(fd: c_int, out: *mut Status) -> c_int {
        if is_ours(fd) {
            // SAFETY: as the caller says.
            return unsafe { tell(tree::NODE, &Entry::Node, out) };
        }
        real!(c"fstat64", fn(c_int, *mut Status) -> c_int, fd, out)
    }
    /// `fstat64`.
    fn fstat64(fd: c_int, out: *mut Status) -> c_int {
        // SAFETY: as the caller says.
        unsafe { fstat(fd, out) }
    }
    /// `readlink`.
    fn readlink(path: *const c_char, out: *mut c_char, room: size_t) -> ssize_t {
        // SAFETY: as the caller says.
        match unsafe { link(path) } {
            Some((_, Entry::Link(to))) => {
                let len = to.len().min(room);
                // SAFETY: the caller says that there is as much room.
                unsafe { std::ptr::copy_nonoverlapping(to.as_ptr().cast(), out, len) };
                len as ssize_t
            }
            Some(_) => failed(Errno::INVALID, -1),
            None => real!(c"readlink", fn(*const c_char, *mut c_char, size_t) -> ssize_t, path, out, room),
        }
    }
    /// `realpath`.
    fn realpath(path: *const c_char, out: *mut c_char) -> *mut c_char {
        // SAFETY: as the caller says.
        let Some((place, _)) = (unsafe { found(path) }) else {
            return real!(c"realpath", fn(*const c_char, *mut c_char) -> *mut c_char, path, out);
        };
        let Ok(place) = CString::new(place) else {
            return failed(Errno::NO_ENTRY, std::ptr::null_mut());
        };
        if out.is_null() {
            // SAFETY: a text that ends with 0.
            return unsafe { libc::strdup(place.as_ptr()) };
        }
        // SAFETY: there is room for PATH_MAX, and no path of the tree is nearly as long.
        unsafe { libc::strcpy(out, place.as_ptr()) }
    }
    /// `dup`.
    fn dup(fd: c_int) -> c_int {
        let copy = real!(c"dup", fn(c_int) -> c_int, fd);
        copied(fd, copy)
    }
    /// `dup2`.
    fn dup2(fd: c_int, to: c_int) -> c_int {
        let copy = real!(c"dup2", fn(c_int, c_int) -> c_int, fd, to);
        copied(fd, copy)
    }
    /// `dup3`.
    fn dup3(fd: c_int, to: c_int, flags: c_int) -> c_int {
        let copy = real!(c"dup3", fn(c_int, c_int, c_int) -> c_int, fd, to, flags);
        copied(fd, copy)
    }
    /// `fcntl`; `argument` is garbage that nobody reads where the program gave none.
    fn fcntl(fd: c_int, command: c_int, argument: *mut c_void) -> c_int {
        let result = real!(c"fcntl64", fn(c_int, c_int, *mut c_void) -> c_int, fd, command, argument);
        match command {
            libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => copied(fd, result),
            _ => result,
        }
    }
    /// `fcntl64`.
    fn fcntl64(fd: c_int, command: c_int, argument: *mut c_void) -> c_int {
        // SAFETY: as the caller says.
        unsafe { fcntl(fd, command, argument) }
    }
    /// `mmap`.
    fn mmap(at: *mut c_void, len: size_t, protection: c_int, flags: c_int, fd: c_int, offset: off_t) -> *mut c_void {
        let (mut real_fd, mut real_offset, mut kept) = (fd, offset, None);
        if let Some(file) = opened(fd) {
            match file.objects().mapped(offset as u64) {
                Ok((buffer, inside)) if inside + len as u64 <= buffer.size().next_multiple_of(range::PAGE) => {
                    real_fd = buffer.file().as_raw_fd();
                    real_offset = inside as off_t;
                    kept = Some(buffer);
                }
                _ => return failed(Errno::INVALID, libc::MAP_FAILED),
            }
        }
        let place = real!(
            c"mmap64",
            fn(*mut c_void, size_t, c_int, c_int, c_int, off_t) -> *mut c_void,
            at, len, protection, flags, real_fd, real_offset
        );
        // The descriptor had to stay open till here.
        drop(kept);
        place
    }
    /// `mmap64`.
    fn mmap64(at: *mut c_void, len: size_t, protection: c_int, flags: c_int, fd: c_int, offset: off_t) -> *mut c_void {
        // SAFETY: as the caller says.
        unsafe { mmap(at, len, protection, flags, fd, offset) }
    }
    /// `ioctl`.
    fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
        let Some(file) = opened(fd) else {
            return real!(c"ioctl", fn(c_int, c_ulong, *mut c_void) -> c_int, fd, request, argument);
        };
        // SAFETY: as the caller says.
        match unsafe { core::ioctl(&file, request, argument) } {
            Ok(()) => 0,
            Err(errno) => failed(errno, -1),
        }
    }
    /// `opendir`.
    fn opendir(path: *const c_char) -> *mut DIR {
        // SAFETY: as the caller says.
        match unsafe { found(path) } {
            Some((_, Entry::Folder(names))) => folder::open(names),
            Some(_) => failed(Errno(libc::ENOTDIR), std::ptr::null_mut()),
            None => real!(c"opendir", fn(*const c_char) -> *mut DIR, path),
        }
    }
    /// `readdir`.
    fn readdir(folder: *mut DIR) -> *mut dirent {
        match folder::next(folder) {
            Some(entry) => entry,
            None => real!(c"readdir64", fn(*mut DIR) -> *mut dirent, folder),
        }
    }
    /// `readdir64`.
    fn readdir64(folder: *mut DIR) -> *mut dirent {
        // SAFETY: as the caller says.
        unsafe { readdir(folder) }
    }
    /// `closedir`.
    fn closedir(folder: *mut DIR) -> c_int {
        if folder::close(folder) {
            return 0;
        }
        real!(c"closedir", fn(*mut DIR) -> c_int, folder)
    }
}

/// A descriptor that is a copy of another.
fn copied(fd: c_int, copy: c_int) -> c_int {
    if copy >= 0 && copy != fd {
        match opened(fd) {
            Some(file) => note(copy, Some(file)),
            None if is_ours(copy) => note(copy, None),
            None => {}
        }
    }
    copy
}

/// What the tree has at a path, without following a link at its end.
///
/// # Safety
///
/// As [`found`].
unsafe fn link(path: *const c_char) -> Option<(String, Entry)> {
    // SAFETY: as the caller says.
    let resolved = unsafe { found(path) }?;
    // SAFETY: `found` has read it.
    let text = unsafe { CStr::from_ptr(path) }.to_str().ok()?;
    match tree::find(&card()?.0, text)? {
        entry @ Entry::Link(_) => Some((text.to_owned(), entry)),
        _ => Some(resolved),
    }
}

/// Fills what `stat` tells.
///
/// # Safety
///
/// There is room for it at `out`.
unsafe fn tell(place: &str, entry: &Entry, out: *mut Status) -> c_int {
    // SAFETY: plain integers, of which 0 is one.
    let mut told: Status = unsafe { std::mem::zeroed() };
    // The same number for the same place: drivers compare it.
    told.st_ino = place.bytes().fold(1, |sum, byte| {
        sum * 31 % 0xffff_fffb + libc::ino_t::from(byte)
    });
    told.st_nlink = 1;
    told.st_mode = match entry {
        Entry::Node => libc::S_IFCHR | 0o666,
        Entry::Text(_) => libc::S_IFREG | 0o444,
        Entry::Link(_) => libc::S_IFLNK | 0o777,
        Entry::Folder(_) => libc::S_IFDIR | 0o755,
    };
    if *entry == Entry::Node {
        told.st_rdev = libc::makedev(NUMBERS.0, NUMBERS.1);
    }
    if let Entry::Text(text) = entry {
        told.st_size = text.len() as off_t;
    }
    // SAFETY: as the caller says.
    unsafe { out.write(told) };
    0
}

/// Folders of the tree that are being read.
mod folder {
    use super::{DIR, Lock, dirent};

    struct Open {
        names: Vec<&'static str>,
        next: usize,
        entry: dirent,
    }

    /// Addresses of folders that are open. Each is a box that nobody else has.
    static OPEN: Lock<Vec<usize>> = Lock::new(Vec::new());

    pub(super) fn open(names: Vec<&'static str>) -> *mut DIR {
        let folder = Box::new(Open {
            names: [".", ".."].into_iter().chain(names).collect(),
            next: 0,
            // SAFETY: plain integers, of which 0 is one.
            entry: unsafe { std::mem::zeroed() },
        });
        let at = Box::into_raw(folder);
        OPEN.lock().push(at as usize);
        at.cast()
    }

    /// The next entry, null behind the last; none for a folder that is not of the tree.
    pub(super) fn next(folder: *mut DIR) -> Option<*mut dirent> {
        if !OPEN.lock().contains(&(folder as usize)) {
            return None;
        }
        // SAFETY: one of ours, which one thread at a time reads, as with any folder.
        let folder = unsafe { &mut *folder.cast::<Open>() };
        let Some(name) = folder.names.get(folder.next) else {
            return Some(std::ptr::null_mut());
        };
        folder.next += 1;
        folder.entry.d_ino = folder.next as libc::ino_t;
        folder.entry.d_type = libc::DT_UNKNOWN;
        folder.entry.d_name.fill(0);
        for (to, from) in folder.entry.d_name.iter_mut().zip(name.bytes()) {
            *to = from as libc::c_char;
        }
        Some(&mut folder.entry)
    }

    /// Whether it was one of ours, which is gone then.
    pub(super) fn close(folder: *mut DIR) -> bool {
        let mut open = OPEN.lock();
        let Some(at) = open.iter().position(|at| *at == folder as usize) else {
            return false;
        };
        open.swap_remove(at);
        // SAFETY: made by `open`, and not in the list any more.
        drop(unsafe { Box::from_raw(folder.cast::<Open>()) });
        true
    }
}
