//! Work that recurses deeply or may panic, in; its result, or its last words, out.
//!
//! naga's front ends and validator, the lowering and the back ends recurse over what a shader says, and naga panics on
//! some of what is wrong with one. So they run on a thread whose stack is known, and a panic on it ends there, unprinted.
//! How deep a shader may be nested follows from the stack: `front::limits`.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};

/// Bytes of stack of a thread for shaders. Only what is touched takes memory.
const STACK_BYTES: usize = 128 << 20;

/// The panic that ended guarded work: message and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panicked(pub String);

thread_local! {
    /// Guarded calls that this thread is in.
    static GUARDED: Cell<u32> = const { Cell::new(0) };
    /// What the hook heard last on this thread.
    static HEARD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Whether the hook is ours, or one that calls ours.
static HOOKED: Mutex<bool> = Mutex::new(false);

/// Runs work on a thread with a large stack, or here if this is such a thread.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Panicked> {
    // Hosts without threads are covered by a tighter limit of nesting.
    if cfg!(target_arch = "wasm32") || GUARDED.get() > 0 {
        return catch(work);
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("shader".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || catch(work));
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(payload)) => Err(Panicked(message(&*payload))),
            Err(error) => Err(Panicked(format!(
                "a thread with {STACK_BYTES} bytes of stack cannot be started: {error}"
            ))),
        }
    })
}

fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let hooked = hook();
    GUARDED.set(GUARDED.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(GUARDED.get() - 1);
    result.map_err(|payload| {
        let heard = HEARD.take();
        if heard.is_none() && hooked {
            // Somebody has set another hook since; ours goes in front of it next time.
            *HOOKED.lock().unwrap_or_else(PoisonError::into_inner) = false;
        }
        Panicked(heard.unwrap_or_else(|| message(&*payload)))
    })
}

/// Puts a hook in front of the one there is, once: it keeps guarded threads silent and hands on all other panics.
fn hook() -> bool {
    if std::thread::panicking() {
        return false;
    }
    let mut hooked = HOOKED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*hooked {
        let before = take_hook();
        set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            let guarded = GUARDED.try_with(Cell::get).unwrap_or(0) > 0;
            if !guarded || HEARD.try_with(|heard| hear(heard, info)).is_err() {
                before(info);
            }
        }));
        *hooked = true;
    }
    true
}

fn hear(heard: &RefCell<Option<String>>, info: &PanicHookInfo<'_>) {
    let mut text = message(info.payload());
    if let Some(place) = info.location() {
        // Crate and file; what stands before them depends on the machine.
        let file = place.file().replace('\\', "/");
        let file = match file.rsplit_once("/src/") {
            Some((outside, inside)) => {
                let name = outside.rsplit('/').next().unwrap_or(outside);
                format!("{name}/src/{inside}")
            }
            None => file,
        };
        text = format!("{text} ({file}:{})", place.line());
    }
    *heard.borrow_mut() = Some(text);
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Takes about a hundred bytes of stack a level.
    fn deep(levels: u32) -> u64 {
        let kept = std::hint::black_box([u64::from(levels); 8]);
        match levels {
            0 => 0,
            _ => deep(levels - 1) + kept[3],
        }
    }

    #[test]
    fn the_stack_is_large() {
        assert_eq!(run(|| deep(200_000)), Ok(20_000_100_000));
    }

    #[test]
    fn panics_are_told() {
        let inner = || run(|| -> u32 { panic!("inside {}", 1) });
        let found = run(inner).unwrap().unwrap_err();
        assert!(
            found.0.starts_with("inside 1 (pipeline/src/guard.rs:"),
            "{}",
            found.0
        );
        // The outer one goes on, and so does the next.
        assert_eq!(run(|| inner().is_err()), Ok(true));
        assert_eq!(run(|| 3), Ok(3));
    }

    #[test]
    fn threads_of_others_keep_their_hook() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static SEEN: AtomicU32 = AtomicU32::new(0);
        run(|| ()).unwrap();
        let before = take_hook();
        set_hook(Box::new(|info| {
            let mine = info.payload().downcast_ref::<&str>() == Some(&"mine");
            SEEN.fetch_add(u32::from(mine), Ordering::Relaxed);
        }));
        let fails = || run(|| panic!("mine")).is_err();
        // Set behind our back, it hears the first; from the next call on it is behind ours.
        assert!(fails() && fails() && fails());
        assert!(SEEN.load(Ordering::Relaxed) <= 1);
        let theirs = std::thread::spawn(|| panic!("mine")).join();
        assert!(theirs.is_err());
        assert!(SEEN.load(Ordering::Relaxed) >= 1);
        set_hook(before);
    }
}
