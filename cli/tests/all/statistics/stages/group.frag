#version 460
#extension GL_EXT_mesh_shader : require
layout(constant_id = 0) const bool DETAIL = false;
layout(location = 0) in vec3 normal;
layout(location = 1) perprimitiveEXT flat in uint material;
layout(location = 0) out vec4 color;
void main() { color = vec4(normal, float(material)); if (DETAIL) color = sin(color) + exp(color.wzyx); }
