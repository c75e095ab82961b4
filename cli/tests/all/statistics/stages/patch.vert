#version 460
layout(location = 0) in vec3 at;
layout(location = 0) out vec3 normal;
layout(location = 1) flat out uint id;
void main() { normal = at; id = gl_VertexIndex; gl_Position = vec4(at, 1); }
