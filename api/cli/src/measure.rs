//! How long a frame takes, measured the same way on both sides.

use std::time::Instant;

/// Least milliseconds that frames of a cell are drawn for, so that short ones are drawn often.
const SPAN_MS: f64 = 40.0;

/// What a frame takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Least wall time, in milliseconds.
    pub ms: f64,
    /// Mean processor time over all threads, in milliseconds; not a number where the system does not tell.
    pub processor_ms: f64,
}

/// Draws a frame that is not timed, then so many that are, or more until [`SPAN_MS`] have gone by.
pub fn measure<E>(frames: u32, mut draw: impl FnMut() -> Result<(), E>) -> Result<Times, E> {
    draw()?;
    let processor = processor_ms();
    let mut least = f64::MAX;
    let mut drawn = 0;
    let begin = Instant::now();
    while drawn < frames || begin.elapsed().as_secs_f64() * 1e3 < SPAN_MS {
        let start = Instant::now();
        draw()?;
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        drawn += 1;
    }
    Ok(Times {
        ms: least,
        processor_ms: (processor_ms() - processor) / f64::from(drawn.max(1)),
    })
}

/// Processor time of all threads, from Linux's scheduler.
fn processor_ms() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return f64::NAN;
    };
    let nanoseconds = threads.flatten().filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e6
}
