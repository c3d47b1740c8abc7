//! A window that shows frame after frame.

use std::rc::Rc;

use girih::Device;
use girih::present::Surface;
use scenes::{Canvas, Failure, Picture};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::Arguments;

/// Why there is no window, or none any more.
pub enum Error {
    /// There is no window system to talk to.
    NoDisplay(String),
    /// Anything else.
    Other(Failure),
}

impl<E: Into<Failure>> From<E> for Error {
    fn from(error: E) -> Error {
        Error::Other(error.into())
    }
}

/// Shows the scene until the window is closed or the frames are drawn.
pub fn run(name: &str, arguments: &Arguments, device: &Device) -> Result<(), Error> {
    let scene = scenes::scene(name).ok_or("the scene is not built in")?;
    let events = EventLoop::new().map_err(|error| Error::NoDisplay(error.to_string()))?;
    events.set_control_flow(ControlFlow::Poll);
    let mut app = App {
        title: format!("girih: {name} on {}", device.physical_device().info().title),
        arguments: arguments.clone(),
        device: device.clone(),
        picture: (scene.load)(device)?,
        window: None,
        next: 0,
        failure: None,
    };
    events.run_app(&mut app)?;
    match app.failure {
        Some(failure) => Err(Error::Other(failure)),
        None => Ok(()),
    }
}

struct App {
    title: String,
    arguments: Arguments,
    device: Device,
    picture: Box<dyn Picture>,
    window: Option<Open>,
    next: u32,
    failure: Option<Failure>,
}

/// A window with what it shows.
struct Open {
    window: Rc<Window>,
    surface: Surface<Rc<Window>>,
    canvas: Canvas,
    size: PhysicalSize<u32>,
}

impl App {
    fn open(&self, events: &ActiveEventLoop) -> Result<Open, Failure> {
        let (width, height) = self.arguments.size;
        let size = PhysicalSize::new(width, height);
        let attributes = Window::default_attributes()
            .with_title(&self.title)
            .with_inner_size(size);
        let window = Rc::new(events.create_window(attributes)?);
        Ok(Open {
            surface: Surface::new(window.clone())?,
            canvas: Canvas::new(&self.device, width, height)?,
            window,
            size,
        })
    }

    /// Draws and shows the next frame; after the last one, the last one again.
    fn frame(&mut self) -> Result<(), Failure> {
        let Some(open) = &mut self.window else {
            return Ok(());
        };
        let size = open.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        let last = self.arguments.frames.map(|frames| frames.max(1) - 1);
        let number = last.map_or(self.next, |last| self.next.min(last));
        if size != open.size {
            open.canvas = Canvas::new(&self.device, size.width, size.height)?;
            open.size = size;
        }
        open.canvas.draw(self.picture.as_mut(), number)?;
        open.surface.present(&open.canvas.picture()?)?;
        self.next = number + 1;
        Ok(())
    }

    fn fail(&mut self, events: &ActiveEventLoop, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.failure = Some(failure);
            events.exit();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        match self.open(events) {
            Ok(open) => self.window = Some(open),
            Err(failure) => self.fail(events, Err(failure)),
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => {
                let result = self.frame();
                self.fail(events, result);
                let done = self
                    .arguments
                    .frames
                    .is_some_and(|frames| self.next >= frames);
                if done {
                    events.set_control_flow(ControlFlow::Wait);
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if let (Some(open), ControlFlow::Poll) = (&self.window, events.control_flow()) {
            open.window.request_redraw();
        }
    }
}
