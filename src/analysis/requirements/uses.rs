//! Uses: operations that require a capability, besides requirements of opcodes and enumerants in the grammar.

/// Declares [`Use`] with the names that `spec-extensions/capability-rules.csv` has for its members.
macro_rules! uses {
    ($($(#[$meta:meta])* $name:ident = $text:literal,)*) => {
        /// A use: an effect of an instruction that has a requirement.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Use {
            $($(#[$meta])* $name,)*
        }

        impl Use {
            /// All uses, with their names.
            pub const ALL: &'static [(Use, &'static str)] = &[$((Use::$name, $text),)*];
        }
    };
}

uses! {
    /// Declares the scalar type.
    Int8Type = "int8 type",
    /// Declares the scalar type.
    Int16Type = "int16 type",
    /// Declares the scalar type.
    Int64Type = "int64 type",
    /// Declares the scalar type, without an encoding of its own.
    Float16Type = "float16 type",
    /// Declares the scalar type.
    Float64Type = "float64 type",
    /// Declares a vector of 8 or 16 components.
    LongVectorType = "vector type of 8 or 16 components",
    /// Declares a vector of another number of components than 2, 3, 4, 8 or 16.
    OtherVectorType = "vector type of another size",
    /// Declares a pointer to a function.
    FunctionPointerType = "function pointer type",
    /// Makes or uses a value that contains the type, other than to load, store, copy or convert its width.
    Int8Value = "int8 value",
    /// Like [`Use::Int8Value`].
    Int16Value = "int16 value",
    /// Like [`Use::Int8Value`].
    Float16Value = "float16 value",
    /// Declares a variable with the type, in a storage class without its own capability for the type.
    Int8Variable = "int8 variable",
    /// Like [`Use::Int8Variable`].
    Int16Variable = "int16 variable",
    /// Like [`Use::Int8Variable`].
    Float16Variable = "float16 variable",
    /// Declares a variable, or a pointer to physical storage, that holds 8-bit integers.
    StorageBuffer8Bit = "8-bit storage buffer",
    /// Declares a variable that holds 8-bit integers.
    Uniform8Bit = "8-bit uniform",
    /// Declares a variable that holds 8-bit integers.
    PushConstant8Bit = "8-bit push constant",
    /// Declares a variable that holds 8-bit integers with an explicit layout.
    Workgroup8Bit = "8-bit workgroup block",
    /// Declares a variable, or a pointer to physical storage, that holds 16-bit types.
    StorageBuffer16Bit = "16-bit storage buffer",
    /// Declares a variable that holds 16-bit types.
    Uniform16Bit = "16-bit uniform",
    /// Declares a variable that holds 16-bit types.
    PushConstant16Bit = "16-bit push constant",
    /// Declares a variable that holds 16-bit types.
    InputOutput16Bit = "16-bit input or output",
    /// Declares a variable that holds 16-bit types with an explicit layout.
    Workgroup16Bit = "16-bit workgroup block",
    /// Declares a variable that holds pointers to memory with 8-bit integers.
    PushConstantPointers8Bit = "pointers to 8-bit push constant",
    /// Declares a variable that holds pointers to memory with 16-bit integers.
    PushConstantPointersInt16 = "pointers to 16-bit integer push constant",
    /// Declares a variable that holds pointers to memory with half floats.
    PushConstantPointersFloat16 = "pointers to half push constant",
    /// Declares a variable with an explicit layout in workgroup memory.
    WorkgroupBlock = "workgroup block",
    /// Declares the image type, as storage.
    Storage1D = "storage 1D image",
    /// Declares the image type, for sampling.
    SampledCubeArray = "sampled cube array image",
    /// Declares the image type, as storage.
    StorageCubeArray = "storage cube array image",
    /// Declares the image type, as storage.
    StorageRect = "storage rectangle image",
    /// Declares the image type, as storage.
    StorageBuffer = "storage buffer image",
    /// Declares the image type, as storage.
    StorageMultisampled = "storage multisampled image",
    /// Declares the image type, as storage.
    StorageMultisampledArray = "storage multisampled array image",
    /// Declares an image type of 64-bit integers.
    Int64Image = "int64 image",
    /// Declares an image type that kernels read and write.
    ReadWriteKernelImage = "read-write kernel image",
    /// Declares an image or sampler type.
    KernelImage = "kernel image or sampler",
    /// Reads an image of unknown format.
    ReadWithoutFormat = "read without format",
    /// Writes an image of unknown format.
    WriteWithoutFormat = "write without format",
    /// Works atomically on a 64-bit integer.
    Int64Atomic = "int64 atomic",
    /// Adds atomically.
    Float16AtomicAdd = "float16 atomic add",
    /// Adds atomically.
    Float32AtomicAdd = "float32 atomic add",
    /// Adds atomically.
    Float64AtomicAdd = "float64 atomic add",
    /// Computes an atomic minimum or maximum.
    Float16AtomicMinMax = "float16 atomic minimum or maximum",
    /// Computes an atomic minimum or maximum.
    Float32AtomicMinMax = "float32 atomic minimum or maximum",
    /// Computes an atomic minimum or maximum.
    Float64AtomicMinMax = "float64 atomic minimum or maximum",
    /// Works atomically on a vector of half floats.
    Float16VectorAtomic = "float16 vector atomic",
    /// Has device scope, in a module with the Vulkan memory model.
    DeviceScope = "device scope in the Vulkan memory model",
    /// Makes, passes, returns or compares a pointer that logical addressing does not have.
    VariablePointer = "variable pointer",
    /// Like `VariablePointer`, for workgroup memory.
    VariableWorkgroupPointer = "variable pointer to workgroup memory",
    /// Makes a pointer that may point into one of several storage buffers.
    UnconfinedPointer = "variable pointer into several storage buffers",
    /// Is in a module without entry points.
    NoEntryPoint = "module without entry points",
    /// Multiplies vectors of four 8-bit integers.
    DotProduct4x8Bit = "4x8-bit dot product",
    /// Multiplies vectors of four 8-bit integers, packed in one of 32 bits.
    PackedDotProduct = "packed dot product",
    /// Multiplies other integer vectors.
    OtherDotProduct = "other dot product",
    /// Multiplies vectors of bfloat16.
    BFloat16DotProduct = "bfloat16 dot product",
    /// Declares a cooperative matrix.
    BFloat16Matrix = "bfloat16 cooperative matrix",
    /// Declares a cooperative matrix.
    Float8Matrix = "float8 cooperative matrix",
    /// Declares an array of descriptors without a size.
    RuntimeDescriptorArray = "runtime descriptor array",
    /// Indexes descriptors by something that is not constant.
    DynamicUniformBuffers = "dynamic index of uniform buffers",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicStorageBuffers = "dynamic index of storage buffers",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicSampledImages = "dynamic index of sampled images",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicStorageImages = "dynamic index of storage images",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicInputAttachments = "dynamic index of input attachments",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicUniformTexelBuffers = "dynamic index of uniform texel buffers",
    /// Like [`Use::DynamicUniformBuffers`].
    DynamicStorageTexelBuffers = "dynamic index of storage texel buffers",
    /// Like [`Use::DynamicUniformBuffers`], in a module where something is decorated NonUniform.
    NonUniformUniformBuffers = "non-uniform index of uniform buffers",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformStorageBuffers = "non-uniform index of storage buffers",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformSampledImages = "non-uniform index of sampled images",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformStorageImages = "non-uniform index of storage images",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformInputAttachments = "non-uniform index of input attachments",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformUniformTexelBuffers = "non-uniform index of uniform texel buffers",
    /// Like [`Use::NonUniformUniformBuffers`].
    NonUniformStorageTexelBuffers = "non-uniform index of storage texel buffers",
    /// Has subgroup scope, in a module of a version that Vulkan 1.0 accepts.
    SubgroupScope = "subgroup scope before subgroups",
    /// Orders uniform memory.
    UniformSemantics = "semantics of uniform memory",
    /// Computes a specialization constant in a way that only kernels may.
    KernelSpecialization = "kernel operation of a specialization constant",
    /// Rounds a conversion in another way than the default.
    RoundingMode = "rounding mode",
    /// Converts a cooperative matrix to one of another use.
    MatrixUseConversion = "conversion of the use of a cooperative matrix",
    /// Converts a vector of integers to a pointer, or a pointer to a vector.
    PointerBitcast = "bitcast of a pointer and a vector",
    /// Decorates BuiltIn PointSize in a module with a tessellation entry point.
    TessellationPointSize = "point size in tessellation",
    /// Decorates BuiltIn PointSize in a module with a geometry entry point.
    GeometryPointSize = "point size in geometry",
    /// Decorates BuiltIn Layer in a module with a vertex or tessellation evaluation entry point.
    Layer = "layer outside of geometry",
    /// Decorates BuiltIn ViewportIndex in a module with a vertex or tessellation evaluation entry point.
    ViewportIndex = "viewport outside of geometry",
    /// Traces rays with flags that cull triangles or boxes, or that are not constant.
    RayCulling = "culling of primitives by ray flags",
}
