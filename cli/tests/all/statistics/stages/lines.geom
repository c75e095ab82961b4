#version 460
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 4) out;
layout(constant_id = 0) const bool DETAIL = false;
layout(location = 0) in Data { vec3 normal; flat int id; } from[];
layout(location = 0) out vec4 color;
layout(location = 2) flat out int which;
void main() {
    for (int i = 0; i < 4; i++) {
        color = vec4(from[i].normal, 1.0);
        if (DETAIL) color = sin(color * gl_in[3 - i].gl_Position) + exp(color);
        which = from[0].id;
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
