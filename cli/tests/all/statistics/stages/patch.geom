#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(constant_id = 0) const bool DETAIL = false;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec4 color;
void main() { for (int i = 0; i < 3; i++) { color = vec4(normal[i], 1.0); if (DETAIL) color = exp(color); gl_Position = gl_in[i].gl_Position; EmitVertex(); } }
