//! `girih bench`: the scenes of the benchmark on a device, and beside them on a Vulkan driver.
//!
//! The peer is a program of its own, given by its path, that draws the same scenes through Vulkan and writes its times as
//! JSON. It runs right after each scene, so that both meet the same machine.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use girih::{DeviceDescriptor, Instance, PhysicalDevice, Stats};
use scenes::{Canvas, Scene, benchmark, png};

use crate::device::Power;
use crate::matrix::Matrix;
use crate::{Failure, print};

/// Arguments of `girih bench`.
#[derive(Args)]
pub struct Bench {
    /// Name of the device; every device when absent.
    #[arg(long)]
    device: Option<String>,
    /// Names of scenes, of the benchmark or of `girih render`; every scene of the benchmark when absent.
    #[arg(long)]
    scene: Vec<String>,
    #[command(flatten)]
    power: Power,
    /// Test the depth of every pixel, also where bounds of a tile's depths decide
    #[arg(long)]
    fine_depth: bool,
    /// Frames that are timed, after two that are not.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Draw generated frames instead, one for each kind of texture, target, primitive, draw and arithmetic: those with
    /// this in their names, or all
    #[arg(long, value_name = "FILTER", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["scene", "fine_depth"])]
    matrix: Option<String>,
    /// Program that draws the same scenes through Vulkan; `api/tests/vulkan` with --matrix
    #[arg(long, requires = "driver")]
    peers: Option<PathBuf>,
    /// Vulkan driver file of the peer.
    #[arg(long, requires = "peers")]
    driver: Option<PathBuf>,
    /// Folder that the pictures are written to, as SCENE.png.
    #[arg(long)]
    pictures: Option<PathBuf>,
}

/// What one scene took.
struct Times {
    /// Median of the frames, wall time.
    frame_ms: f64,
    /// Mean processor time of a frame, all threads.
    processor_ms: f64,
    /// The first frame, and loading.
    first_ms: f64,
    /// Most memory in use.
    peak_mib: f64,
}

/// What a peer says about one scene.
#[derive(serde::Deserialize)]
struct PeerScene {
    ms: f64,
    cores: f64,
}

#[derive(serde::Deserialize)]
struct PeerReport {
    driver_info: String,
    scenes: Vec<PeerScene>,
}

impl Bench {
    /// Draws, times and prints a row for each scene and device.
    pub fn run(self) -> Result<(), Failure> {
        let instance = Instance::new();
        let devices: Vec<PhysicalDevice> = match &self.device {
            Some(name) => vec![instance.physical_device(name)?],
            None => instance.physical_devices().collect(),
        };
        if let Some(filter) = &self.matrix {
            let matrix = Matrix {
                filter,
                power: &self.power,
                frames: self.frames,
                pictures: self.pictures.as_deref(),
                peer: self.peers.as_deref().zip(self.driver.as_deref()),
            };
            return devices.iter().try_for_each(|device| matrix.run(device));
        }
        let scenes = self.scenes()?;
        let mut failed = 0;
        for device in devices {
            let mut ratios = Vec::new();
            print(&format!(
                "{}\n{:<18} {:>9} {:>9} {:>8} {:>8} {:>9} {:>7}{}\n",
                device.name(),
                "scene",
                "ms",
                "cpu ms",
                "Mpix/s",
                "Mtri/s",
                "first ms",
                "MiB",
                match self.peers {
                    Some(_) => "   peer ms  peer cpu ms   ratio  cpu ratio",
                    None => "",
                }
            ))?;
            for scene in &scenes {
                let drawn = match scene.lacks(&device) {
                    Some(need) => Ok(format!("is not drawn, for want of {need}")),
                    None => self.scene(&device, scene, &mut ratios),
                };
                let row = drawn.unwrap_or_else(|error| {
                    failed += 1;
                    format!("cannot be drawn: {error}")
                });
                print(&format!("{:<18} {row}\n", scene.name))?;
            }
            if !ratios.is_empty() {
                let mean = |of: fn(&[f64; 2]) -> f64| {
                    let logarithms: f64 = ratios.iter().map(|ratio| of(ratio).ln()).sum();
                    (logarithms / ratios.len() as f64).exp()
                };
                print(&format!(
                    "geometric mean of {} ratios: {:.2}, of processor time {:.2}\n",
                    ratios.len(),
                    mean(|ratio| ratio[0]),
                    mean(|ratio| ratio[1])
                ))?;
            }
        }
        match failed {
            0 => Ok(()),
            1 => Err("a scene could not be drawn".into()),
            _ => Err(format!("{failed} scenes could not be drawn").into()),
        }
    }

    fn scenes(&self) -> Result<Vec<&'static Scene>, Failure> {
        if self.scene.is_empty() {
            return Ok(benchmark::SCENES.iter().collect());
        }
        let all = || benchmark::SCENES.iter().chain(scenes::SCENES);
        let find = |name: &String| {
            all().find(|scene| scene.name == name).ok_or_else(|| {
                let names: Vec<&str> = all().map(|scene| scene.name).collect();
                format!(
                    "there is no scene `{name}`; there are: {}",
                    names.join(", ")
                )
                .into()
            })
        };
        self.scene.iter().map(find).collect()
    }

    /// One row of the table, without the name.
    fn scene(
        &self,
        gpu: &PhysicalDevice,
        scene: &Scene,
        ratios: &mut Vec<[f64; 2]>,
    ) -> Result<String, Failure> {
        let (times, work) = self.draw(gpu, scene)?;
        let a_second = |count: u64| count as f64 / times.frame_ms / 1e3;
        let mut row = format!(
            "{:9.3} {:9.3} {:8.1} {:8.2} {:9.1} {:7.0}",
            times.frame_ms,
            times.processor_ms,
            a_second(work.fragment_lanes),
            a_second(work.primitives),
            times.first_ms,
            times.peak_mib
        );
        if let (Some(program), Some(driver)) = (&self.peers, &self.driver) {
            let peer = self.peer(program, driver, scene)?;
            let processor_ms = peer.ms * peer.cores;
            let ratio = [times.frame_ms / peer.ms, times.processor_ms / processor_ms];
            row += &format!(
                " {:9.3} {:12.3} {:7.2} {:10.2}",
                peer.ms, processor_ms, ratio[0], ratio[1]
            );
            ratios.push(ratio);
        }
        Ok(row)
    }

    /// Draws the frames of a scene on a fresh device; times, and the work of one frame.
    fn draw(&self, gpu: &PhysicalDevice, scene: &Scene) -> Result<(Times, Stats), Failure> {
        process::reset_peak();
        let device = gpu.create_device(&DeviceDescriptor {
            fine_depth: self.fine_depth,
            ..self.power.descriptor(scene.name)
        })?;
        let canvas = match benchmark::SCENES.iter().any(|of| of.name == scene.name) {
            true => Canvas::for_benchmark,
            false => Canvas::new,
        };
        let canvas = canvas(&device, benchmark::WIDTH, benchmark::HEIGHT)?;
        let start = Instant::now();
        let mut picture = (scene.load)(&device)?;
        canvas.draw(picture.as_mut(), 0)?;
        let first_ms = start.elapsed().as_secs_f64() * 1e3;
        let work = device.stats();
        canvas.draw(picture.as_mut(), 0)?;
        let processor = process::processor_ms();
        let mut frames = Vec::new();
        for _ in 0..self.frames {
            let start = Instant::now();
            canvas.draw(picture.as_mut(), 0)?;
            frames.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let processor_ms = (process::processor_ms() - processor) / f64::from(self.frames);
        let peak_mib = process::peak_mib();
        frames.sort_by(f64::total_cmp);
        if let Some(folder) = &self.pictures {
            let file = folder.join(scene.name).with_extension("png");
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            png::save(&canvas.picture()?, &file)?;
        }
        let times = Times {
            frame_ms: frames[frames.len() / 2],
            processor_ms,
            first_ms,
            peak_mib,
        };
        Ok((times, work))
    }

    /// Runs the peer for one scene.
    fn peer(
        &self,
        program: &PathBuf,
        driver: &PathBuf,
        scene: &Scene,
    ) -> Result<PeerScene, Failure> {
        let report = std::env::temp_dir().join(format!("girih-bench-{}.json", std::process::id()));
        let mut command = std::process::Command::new(program);
        command
            .args(["--scene", scene.name, "--frames", &self.frames.to_string()])
            .arg("--json")
            .arg(&report)
            .env("VK_DRIVER_FILES", driver);
        if let Some(threads) = self.power.threads {
            command.env("LP_NUM_THREADS", threads.to_string());
        }
        let output = command
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {errors}", program.display()).into());
        }
        let located = |error: &dyn std::fmt::Display| format!("{}: {error}", report.display());
        let text = std::fs::read_to_string(&report).map_err(|error| located(&error))?;
        std::fs::remove_file(&report).map_err(|error| located(&error))?;
        let report: PeerReport = serde_json::from_str(&text).map_err(|error| located(&error))?;
        let name = report.driver_info;
        let mut scenes = report.scenes.into_iter();
        scenes
            .next()
            .ok_or_else(|| format!("{name} drew no `{}`", scene.name).into())
    }
}

/// What the system knows about this process; nothing where it keeps it elsewhere than Linux does.
mod process {
    /// Starts a new measurement of the most memory.
    pub fn reset_peak() {
        // Where this does not exist, the peak is that of the whole run.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }

    pub fn peak_mib() -> f64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }

    /// Processor time of all threads since the start, in steps of 10 ms.
    pub fn processor_ms() -> f64 {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The second field is the name in parentheses; user and system time are the 14th and 15th.
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: Option<f64> = ticks.map(|field| field.parse::<f64>().ok()).sum();
        ticks.unwrap_or(f64::NAN) * 10.0
    }
}
