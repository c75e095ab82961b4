// Colours of the shading languages, which mdBook's highlight.js does not know. Their grammar is that of C with other types.
(() => {
  const types = {
    glsl: {
      keyword: "in out inout uniform buffer shared layout flat smooth centroid patch readonly writeonly coherent restrict precise invariant const struct " +
        "if else for while do return break continue switch case default discard highp mediump lowp precision void",
      type: "bool int uint float double float16_t int16_t uint16_t int8_t uint8_t int64_t uint64_t vec2 vec3 vec4 dvec2 dvec3 dvec4 ivec2 ivec3 ivec4 " +
        "uvec2 uvec3 uvec4 bvec2 bvec3 bvec4 f16vec2 f16vec3 f16vec4 mat2 mat3 mat4 sampler2D sampler3D samplerCube texture2D image2D",
    },
    hlsl: {
      keyword: "in out inout uniform static const groupshared precise cbuffer tbuffer struct register if else for while do return break continue switch case " +
        "default discard void",
      type: "bool int uint half float double int2 int3 int4 uint2 uint3 uint4 half2 half3 half4 float2 float3 float4 double2 double3 double4 float4x4 " +
        "StructuredBuffer RWStructuredBuffer ByteAddressBuffer RWByteAddressBuffer Texture2D RWTexture2D SamplerState",
    },
    wgsl: {
      keyword: "fn let var const override struct if else for while loop return break continue switch case default discard enable alias",
      type: "bool i32 u32 f32 f16 vec2 vec3 vec4 vec2f vec3f vec4f vec2u vec3u vec4u mat4x4 array atomic ptr",
    },
    zig: {
      keyword: "fn const var pub export extern struct enum union if else for while return break continue switch defer inline comptime try catch orelse",
      type: "bool void i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 usize type",
    },
  };
  for (const [name, { keyword, type }] of Object.entries(types)) {
    hljs.registerLanguage(name, (hljs) => ({
      keywords: { keyword, built_in: type, literal: "true false" },
      contains: [
        hljs.C_LINE_COMMENT_MODE, hljs.C_BLOCK_COMMENT_MODE, hljs.C_NUMBER_MODE, hljs.QUOTE_STRING_MODE,
        { className: "meta", begin: /^\s*#\w+/, end: /$/ },
        { className: "meta", begin: /@\w+/ },
      ],
    }));
    for (const code of document.querySelectorAll(`code.language-${name}`)) hljs.highlightBlock(code);
  }
})();
