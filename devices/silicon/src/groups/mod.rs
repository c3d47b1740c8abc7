//! Groups of a dispatch over all threads. In: groups by their numbers, each of which a chip runs. Out: memory and counters
//! as groups leave them that run one after the other, with any number of threads.
//!
//! Groups that run at the same time store into logs ([`log`]), which are replayed in ascending order of groups. That is
//! what they leave one after the other unless one loads what another before it stores: then it runs again, and those
//! behind it, in order ([`run`]). Changes that give back what was there are made by batch after batch ([`queues`]).

pub mod change;
mod commits;
pub mod log;
pub mod queues;
pub mod races;
pub mod run;

pub use change::Change;
pub use log::{StoreLog, StoreLogs, Stores};
pub use queues::{Place, Queues};
pub use races::Races;
pub use run::{Batches, Chunks, Done, independent};
