//! Shades bins, one thread each. In: binned primitives of one draw, of several, or of a pass. Out: texels.

use std::sync::Arc;

use super::bins::{Bin, Failure, Threads};
use super::scan::{PixelShader, PixelStage, Scan};
use super::surface::Plane;
use super::turns::{Turn, Turns};
use crate::draw::Worker;
use crate::geometry::binning::BinnedPrimitives;
use crate::gpu::{Stats, Trap};

/// Up to this many pixels the calling thread shades alone: others would take longer to wake.
const FEW_PIXELS: u64 = 4096;
/// Draws that wait at most. Other threads wake for more of them at once; their primitives come from a farther cache.
const MOST_WAITING: usize = 512;

/// The first half of a draw: primitives in bins, the pixel stage, and what the draw has beside its state.
pub type Binned<'a, S> = (
    &'a BinnedPrimitives,
    &'a PixelStage<S>,
    &'a <S as PixelShader>::Draw,
);

/// Shades every bin, draw by draw, primitives in order: one draw on an immediate-mode chip, or several small ones,
/// those of a pass on a deferred one. All draws share the bins. Returns the trap of the earliest primitive: then the draws
/// before that of the primitive are shaded, that one in part, and none after it.
pub fn shade<W: Send, S: PixelShader<Worker = W>>(
    threads: &Threads,
    workers: &mut [Worker<W>],
    draws: &[Binned<'_, S>],
) -> Result<(), Trap> {
    let Some((first, ..)) = draws.first() else {
        return Ok(());
    };
    let bins = first.bins();
    debug_assert!(
        draws
            .iter()
            .all(|(primitives, ..)| primitives.bins() == bins)
    );
    let pixels: u64 = draws
        .iter()
        .map(|(primitives, ..)| primitives.pixels())
        .sum();
    let most = workers.len();
    let workers = match pixels <= FEW_PIXELS {
        true => &mut workers[..1.min(most)],
        false => workers,
    };
    let mut pass = Pass {
        threads,
        draws,
        touched: Touched::new(draws),
        planes: planes(draws),
        separate: false,
        end: None,
    };
    if pass.planes.is_empty() {
        return pass.run(workers).map_err(|(_, trap)| trap);
    }
    let memory = &draws[0].1.memory;
    let counts: Vec<Stats> = workers.iter().map(|worker| worker.stats).collect();
    let undo = |workers: &mut [Worker<W>], planes: &[Vec<&Plane>]| {
        for (worker, counts) in workers.iter_mut().zip(&counts) {
            worker.pixels.undo.restore(memory, planes);
            worker.stats = *counts;
        }
    };
    let mut result = pass.run(workers);
    if result.is_err() {
        // Once more, waves of one draw each: that says which draw fails. Then all up to it.
        pass.separate = true;
        undo(workers, &pass.planes);
        result = pass.run(workers);
    }
    if let Err((place, _)) = &result {
        pass.end = Some(*place);
        undo(workers, &pass.planes);
        result = pass.run(workers);
    }
    result.map_err(|(_, trap)| trap)
}

/// Planes of each layer that several draws write, of which one may fail; none where a draw is alone.
fn planes<'a, S: PixelShader>(draws: &[Binned<'a, S>]) -> Vec<Vec<&'a Plane>> {
    let mut found: Vec<Vec<&Plane>> = Vec::new();
    let several = draws.len() > 1 || draws.iter().any(|(primitives, ..)| primitives.parts() > 1);
    let fails = |stage: &PixelStage<S>| stage.shader.as_ref().is_some_and(S::may_fail);
    if !several || !draws.iter().any(|(_, stage, _)| fails(stage)) {
        return found;
    }
    let mut last: Option<&PixelStage<S>> = None;
    for &(_, stage, _) in draws {
        if last.is_some_and(|last| std::ptr::eq(last, stage)) {
            continue;
        }
        last = Some(stage);
        for (layer, stage) in stage.each_layer().enumerate() {
            if found.len() <= layer {
                found.push(Vec::new());
            }
            let colors = stage.colors.iter().map(|color| color.plane());
            for plane in colors.chain(stage.depth.planes()) {
                if !found[layer].iter().any(|other| other.is(plane)) {
                    found[layer].push(plane);
                }
            }
        }
    }
    found
}

/// A place among draws: number of the run of draws as one, and of the draw in it.
type Place = (u32, u32);

/// Draws that are shaded bin by bin.
struct Pass<'a, S: PixelShader> {
    threads: &'a Threads,
    draws: &'a [Binned<'a, S>],
    touched: Touched,
    /// What is kept of tiles before they are drawn to, layer by layer; none where nothing is.
    planes: Vec<Vec<&'a Plane>>,
    /// No wave has lanes of several draws.
    separate: bool,
    /// The last draw that is shaded.
    end: Option<Place>,
}

impl<S: PixelShader> Pass<'_, S> {
    /// Shades the bins; the place is exact where waves are separate.
    fn run<W: Send>(&self, workers: &mut [Worker<W>]) -> Result<(), (Place, Trap)>
    where
        S: PixelShader<Worker = W>,
    {
        let (primitives, stage, own) = &self.draws[0];
        let bins = primitives.bins();
        // A draw whose stores wait is alone.
        let turns = S::stores_later(own).then(|| Turns::new(&stage.memory));
        debug_assert!(turns.is_none() || self.draws.len() == 1);
        for worker in workers.iter_mut() {
            worker.pixels.undo.begin(!self.planes.is_empty(), bins);
        }
        self.threads.for_each_bin(bins, workers, |bin, worker| {
            worker.pixels.undo.next_bin(bin.layer);
            let mut turn = turns.as_ref().map(|turns| turns.begin(bin.index));
            for &number in self.touched.of(bin.index) {
                if self.end.is_some_and(|(last, _)| number > last) {
                    break;
                }
                self.draw((number, turn.take()), bin, worker)?;
            }
            Ok(())
        })
    }

    /// Shades what a run of draws has in a bin.
    fn draw<W: Send>(
        &self,
        (number, turn): (u32, Option<Turn<'_, S::Stores>>),
        bin: Bin,
        worker: &mut Worker<W>,
    ) -> Result<(), Failure<(Place, Trap)>>
    where
        S: PixelShader<Worker = W>,
    {
        let (primitives, stage, own) = self.draws[number as usize];
        worker.stats.bins += 1;
        worker.stats.bin_entries += primitives.entries(bin.index);
        let kept = (&mut worker.pixels, &mut worker.stats);
        let parameters = primitives.parameters();
        let stage = stage.of_layer(bin.layer);
        let planes = self
            .planes
            .get(bin.layer as usize)
            .map_or(&[][..], Vec::as_slice);
        let shader = &mut worker.shader;
        let mut scan = Scan::begin((stage, own), (planes, turn), parameters, shader, kept);
        let mut part = 0;
        let result = primitives
            .in_bin(bin.index)
            .try_for_each(|primitive| {
                if self.separate {
                    let next = primitives.part_of(primitive.primitive.id);
                    if self.end.is_some_and(|end| (number, next) > end) {
                        return Ok(());
                    }
                    if next != part {
                        part = next;
                        scan.flush()?;
                    }
                }
                scan.primitive(&primitive, bin.area)
            })
            .and_then(|()| scan.flush());
        let order = scan.order();
        result.map_err(|trap| Failure {
            order: u64::from(number) << 32 | order,
            error: ((number, primitives.part_of(order as u32)), trap),
        })
    }
}

/// The draws that touch each bin, in order.
struct Touched {
    /// Where the list of each bin ends.
    ends: Vec<u32>,
    draws: Vec<u32>,
}

impl Touched {
    fn new<S: PixelShader>(draws: &[Binned<'_, S>]) -> Touched {
        let bins = draws.first().map_or(0, |(first, ..)| first.bins().count());
        let mut ends = vec![0; bins + 1];
        let mut pairs = Vec::with_capacity(2 * draws.len());
        // The last draw that touched each bin, from 1.
        let mut last = vec![0; bins];
        for (number, (primitives, ..)) in (0..).zip(draws) {
            primitives.touched(|bin| {
                let bin = bin as usize;
                if last[bin] != number + 1 {
                    last[bin] = number + 1;
                    ends[bin + 1] += 1;
                    pairs.push((bin, number));
                }
            });
        }
        // Where lists start, and where they end once they are filled.
        for bin in 0..bins {
            ends[bin + 1] += ends[bin];
        }
        let mut found = vec![0; pairs.len()];
        for (bin, number) in pairs {
            found[ends[bin] as usize] = number;
            ends[bin] += 1;
        }
        Touched { ends, draws: found }
    }

    fn of(&self, bin: usize) -> &[u32] {
        let start = bin.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.draws[start as usize..self.ends[bin] as usize]
    }
}

/// Small draws whose second half waits, so that threads divide the bins of many draws and not those of one.
pub struct Waiting<S: PixelShader> {
    /// Those in use are in front; the others keep their memory.
    draws: Vec<WaitingDraw<S>>,
    count: usize,
}

struct WaitingDraw<S: PixelShader> {
    primitives: BinnedPrimitives,
    stage: Arc<PixelStage<S>>,
    own: S::Draw,
}

impl<S: PixelShader> Default for Waiting<S> {
    fn default() -> Waiting<S> {
        Waiting {
            draws: Vec::new(),
            count: 0,
        }
    }
}

impl<S: PixelShader> Waiting<S> {
    /// Whether no draw waits.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether there is room, and all share the bins.
    pub(crate) fn takes(&self, primitives: &BinnedPrimitives) -> bool {
        let first = self.draws[..self.count].first();
        self.count < MOST_WAITING
            && first.is_none_or(|first| first.primitives.bins() == primitives.bins())
    }

    /// Takes the first half of a draw; used memory comes back.
    pub(crate) fn push(
        &mut self,
        primitives: &mut BinnedPrimitives,
        stage: &Arc<PixelStage<S>>,
        own: S::Draw,
    ) {
        let stage = stage.clone();
        match self.draws.get_mut(self.count) {
            Some(draw) => {
                std::mem::swap(&mut draw.primitives, primitives);
                (draw.stage, draw.own) = (stage, own);
            }
            None => self.draws.push(WaitingDraw {
                primitives: std::mem::take(primitives),
                stage,
                own,
            }),
        }
        self.count += 1;
    }

    /// Shades those that wait. Returns the trap of the earliest primitive.
    pub fn shade<W: Send>(
        &mut self,
        threads: &Threads,
        workers: &mut [Worker<W>],
    ) -> Result<(), Trap>
    where
        S: PixelShader<Worker = W>,
    {
        let waiting = &self.draws[..std::mem::take(&mut self.count)];
        let binned = waiting
            .iter()
            .map(|draw| (&draw.primitives, &*draw.stage, &draw.own));
        let binned: Vec<Binned<'_, S>> = binned.collect();
        shade(threads, workers, &binned)
    }
}
