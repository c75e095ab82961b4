#version 460
#extension GL_EXT_ray_tracing : require
layout(constant_id = 0) const bool DETAIL = false;
layout(set = 0, binding = 1) buffer Out { vec4 values[]; };
layout(push_constant) uniform Eye { vec4 eye; };
layout(location = 0) rayPayloadInEXT vec4 payload;
void main() { payload = eye; if (DETAIL) payload = sin(payload * eye) + exp(payload); }
