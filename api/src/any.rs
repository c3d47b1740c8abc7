//! One error that every other one becomes.

use crate::*;

/// Declares [`Error`]: its variants, what each is, the errors of the calls.
macro_rules! any_error {
    ($($(#[$meta:meta])* $variant:ident($error:ty)),* $(,)?) => {
        /// Any error of this crate. Each family of calls has an error of its own; `?` makes this of all of them, and
        /// message, source and rule stay what they are.
        ///
        /// ```
        /// use girih::{BufferInitDescriptor, BufferUsages, DeviceDescriptor, Error, Instance, PhysicalDevice};
        ///
        /// fn run(gpu: &PhysicalDevice) -> Result<(), Error> {
        ///     let device = gpu.create_device(&DeviceDescriptor::default())?; // DeviceError
        ///     let buffer = device.create_buffer_init(&BufferInitDescriptor {
        ///         contents: &[1, 2, 3, 4],
        ///         usage: BufferUsages::UNIFORM,
        ///         ..Default::default()
        ///     })?; // BufferError
        ///     Ok(buffer.write(2, &[0; 4])?) // AccessError
        /// }
        ///
        /// let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
        /// let error = run(&gpu).err().ok_or("no error")?;
        /// assert_eq!(error.rule(), "buffer-access-range");
        /// assert_eq!(error.to_string(), "4 bytes at 2 are outside buffer #1, which has 4 bytes");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        pub enum Error {
            $(
                $(#[$meta])*
                #[error(transparent)]
                $variant(#[from] $error),
            )*
            /// An access that video memory refuses.
            #[error(transparent)]
            Memory(#[from] MemoryError),
        }

        impl Error {
            /// Stable name of the rule that was broken, as the error that this was made from gives it.
            pub fn rule(&self) -> &'static str {
                match self {
                    $(Error::$variant(error) => error.rule(),)*
                    Error::Memory(_) => "memory-access",
                }
            }
        }
    };
}

any_error! {
    /// No such device.
    Instance(InstanceError),
    /// A device that cannot be powered on.
    Device(DeviceError),
    /// Stream output that cannot be recorded.
    Stream(StreamError),
    /// A heap that cannot be had.
    Heap(HeapError),
    /// A buffer that cannot be made.
    Buffer(BufferError),
    /// A host access that a buffer refuses.
    Access(AccessError),
    /// An image that cannot be made.
    Image(ImageError),
    /// A view that cannot be made.
    ImageView(ImageViewError),
    /// A sampler that cannot be made.
    Sampler(SamplerError),
    /// A set layout that cannot be made.
    SetLayout(SetLayoutError),
    /// A descriptor set that cannot be made or updated.
    Set(SetError),
    /// A pipeline layout that cannot be made.
    PipelineLayout(PipelineLayoutError),
    /// A shader that cannot be compiled.
    Shader(ShaderError),
    /// A graphics pipeline that cannot be made.
    GraphicsPipeline(GraphicsPipelineError),
    /// A compute pipeline that cannot be made.
    ComputePipeline(ComputePipelineError),
    /// A pass that cannot begin or end.
    Pass(PassError),
    /// A command that cannot be recorded.
    Command(CommandError),
    /// A draw that cannot be recorded.
    Draw(DrawError),
    /// A dispatch that cannot be recorded.
    Dispatch(DispatchError),
    /// A copy that cannot be done.
    Copy(CopyError),
    /// A scaled copy that cannot be recorded.
    Blit(BlitError),
    /// A clear that cannot be recorded.
    Clear(ClearError),
    /// A query that cannot be made, asked or read.
    Query(QueryError),
    /// A submission that does not run, or not to its end.
    Submit(SubmitError),
    /// A fence that cannot be signalled.
    Fence(FenceError),
    /// A capture that cannot be made, read or executed.
    Capture(CaptureError),
}
