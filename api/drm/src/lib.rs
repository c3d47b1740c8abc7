//! The Linux kernel's `radeon` and `amdgpu` interfaces, so that Mesa's own drivers run on the virtual GPUs.
//!
//! `girih run` loads this library into a program before libc (`LD_PRELOAD`). It shows the program a render node and its
//! place in sysfs, answers the driver's ioctls as the kernel would, and executes the command streams that the driver
//! submits. Numbers and structures are those of the kernel's UAPI headers (`drm.h`, `radeon_drm.h`, `amdgpu_drm.h`).
//!
//! | Module | Does |
//! |---|---|
//! | [`preload`] | functions of libc that the program calls in libc's place |
//! | [`start`] | what is done when a program starts and ends |
//! | [`tree`] | the node and its device as files |
//! | [`card`] | which chip is shown, and what the kernel tells of it |
//! | [`file`] | one opened node: handles of buffers and of fences |
//! | [`buffer`], [`range`] | memory of the program and of the chip: the same pages |
//! | [`machine`] | the chip: submissions, resets |
//! | [`capture`] | submissions and what they read, as files |
//! | [`sync`] | fences that programs wait for |
//! | [`core`], [`radeon`], [`amdgpu`] | the ioctls |
//!
//! A submission has been executed before its ioctl returns, so whoever waits for the chip need not wait.
//!
//! # Safety
//!
//! - [`preload`] takes the pointers that a program gives to libc, under libc's own rules, and hands them on to libc.
//! - Ioctls read and write structures at addresses that the program gives, as the kernel does, and answer EFAULT for a bad
//!   one ([`argument`]).
//! - [`start`] changes the environment before the program has a second thread.
//! - [`range`] maps pages at addresses that it reserved before, [`pinned`] where the program says that pages are its own, and
//!   nothing else is replaced.
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]

mod amdgpu;
mod argument;
mod buffer;
mod capture;
mod card;
mod core;
mod errno;
mod file;
mod lock;
mod machine;
mod pinned;
mod preload;
mod radeon;
mod range;
mod start;
mod sync;
mod tree;
