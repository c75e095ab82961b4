#version 460
layout(quads, fractional_odd_spacing, cw) in;
layout(constant_id = 0) const bool DETAIL = false;
layout(location = 0) in vec3 bent[];
layout(location = 1) patch in vec4 whole;
layout(location = 0) out vec3 normal;
void main() {
    vec3 n = mix(bent[0], bent[1], gl_TessCoord.x) + bent[3];
    if (DETAIL) n = normalize(n + cos(whole.xyz * n));
    normal = n;
    gl_Position = mix(gl_in[0].gl_Position, gl_in[2].gl_Position, gl_TessCoord.y);
}
