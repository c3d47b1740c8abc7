//! Capabilities that a module may declare. [SPIRV 3.31 Capability]

use spirv::Capability;

/// Whether all that a capability stands for is taken, or seen and refused where it is used: an instruction, a type, a mode, a
/// built-in, a storage class. Others would change what is computed without a trace.
pub(super) fn is_seen(capability: Capability) -> bool {
    use Capability as C;
    match capability {
        // Stages, and what they exchange.
        C::Matrix
        | C::Shader
        | C::Geometry
        | C::Tessellation
        | C::TessellationPointSize
        | C::GeometryPointSize
        | C::GeometryStreams
        | C::TransformFeedback
        | C::ClipDistance
        | C::CullDistance
        | C::MultiViewport
        | C::ShaderLayer
        | C::ShaderViewportIndex
        | C::ShaderViewportIndexLayerEXT
        | C::DrawParameters
        | C::DeviceGroup
        | C::MultiView
        | C::InterpolationFunction
        | C::SampleRateShading
        | C::FragmentBarycentricKHR
        | C::DemoteToHelperInvocation
        | C::DerivativeControl
        | C::StencilExportEXT => true,
        // Modes, built-ins and instructions of fragment shaders that are refused.
        C::SampleMaskPostDepthCoverage
        | C::FragmentFullyCoveredEXT
        | C::FragmentShadingRateKHR
        | C::FragmentDensityEXT
        | C::FragmentShaderPixelInterlockEXT
        | C::FragmentShaderSampleInterlockEXT
        | C::FragmentShaderShadingRateInterlockEXT
        | C::QuadControlKHR
        | C::ShaderClockKHR => true,
        // Stages that are refused.
        C::MeshShadingEXT
        | C::MeshShadingNV
        | C::RayQueryKHR
        | C::RayQueryProvisionalKHR
        | C::RayTracingKHR
        | C::RayTracingNV
        | C::RayTracingProvisionalKHR
        | C::RayTraversalPrimitiveCullingKHR => true,
        // Numbers.
        C::Float16
        | C::Float64
        | C::Int8
        | C::Int16
        | C::Int64
        | C::Int64Atomics
        | C::StorageBuffer8BitAccess
        | C::StorageBuffer16BitAccess
        | C::UniformAndStorageBuffer8BitAccess
        | C::UniformAndStorageBuffer16BitAccess
        | C::StoragePushConstant8
        | C::StoragePushConstant16
        | C::StorageInputOutput16
        | C::DenormPreserve
        | C::DenormFlushToZero
        | C::SignedZeroInfNanPreserve
        | C::RoundingModeRTE
        | C::RoundingModeRTZ
        | C::FloatControls2
        | C::DotProduct
        | C::DotProductInput4x8Bit
        | C::DotProductInput4x8BitPacked
        | C::DotProductInputAll
        | C::AtomicFloat16AddEXT
        | C::AtomicFloat32AddEXT
        | C::AtomicFloat64AddEXT
        | C::AtomicFloat16MinMaxEXT
        | C::AtomicFloat32MinMaxEXT
        | C::AtomicFloat64MinMaxEXT => true,
        // Images.
        C::ImageGatherExtended
        | C::StorageImageMultisample
        | C::ImageCubeArray
        | C::ImageRect
        | C::SampledRect
        | C::InputAttachment
        | C::SparseResidency
        | C::MinLod
        | C::Sampled1D
        | C::Image1D
        | C::SampledCubeArray
        | C::SampledBuffer
        | C::ImageBuffer
        | C::ImageMSArray
        | C::StorageImageExtendedFormats
        | C::ImageQuery
        | C::StorageImageReadWithoutFormat
        | C::StorageImageWriteWithoutFormat
        | C::Int64ImageEXT => true,
        // Buffers and arrays of bindings.
        C::AtomicStorage
        | C::UniformBufferArrayDynamicIndexing
        | C::SampledImageArrayDynamicIndexing
        | C::StorageBufferArrayDynamicIndexing
        | C::StorageImageArrayDynamicIndexing
        | C::ShaderNonUniform
        | C::RuntimeDescriptorArray
        | C::InputAttachmentArrayDynamicIndexing
        | C::UniformTexelBufferArrayDynamicIndexing
        | C::StorageTexelBufferArrayDynamicIndexing
        | C::UniformBufferArrayNonUniformIndexing
        | C::SampledImageArrayNonUniformIndexing
        | C::StorageBufferArrayNonUniformIndexing
        | C::StorageImageArrayNonUniformIndexing
        | C::InputAttachmentArrayNonUniformIndexing
        | C::UniformTexelBufferArrayNonUniformIndexing
        | C::StorageTexelBufferArrayNonUniformIndexing
        | C::VariablePointers
        | C::VariablePointersStorageBuffer
        | C::VulkanMemoryModel
        | C::VulkanMemoryModelDeviceScope
        | C::WorkgroupMemoryExplicitLayoutKHR
        | C::WorkgroupMemoryExplicitLayout8BitAccessKHR
        | C::WorkgroupMemoryExplicitLayout16BitAccessKHR => true,
        // Subgroups.
        C::GroupNonUniform
        | C::GroupNonUniformVote
        | C::GroupNonUniformArithmetic
        | C::GroupNonUniformBallot
        | C::GroupNonUniformShuffle
        | C::GroupNonUniformShuffleRelative
        | C::GroupNonUniformClustered
        | C::GroupNonUniformQuad
        | C::GroupNonUniformPartitionedEXT
        | C::GroupNonUniformRotateKHR
        | C::GroupUniformArithmeticKHR
        | C::SubgroupBallotKHR
        | C::SubgroupVoteKHR
        | C::Groups
        | C::UniformDecoration
        | C::ComputeDerivativeGroupQuadsKHR
        | C::ComputeDerivativeGroupLinearKHR
        | C::ExpectAssumeKHR => true,
        _ => false,
    }
}
