#version 460
layout(vertices = 4) out;
layout(constant_id = 0) const bool DETAIL = false;
layout(location = 0) in vec3 normal[];
layout(location = 1) flat in uint id[];
layout(location = 0) out vec3 bent[];
layout(location = 1) patch out vec4 whole;
layout(push_constant) uniform Eye { vec4 eye; };
void main() {
    vec3 n = normal[gl_InvocationID];
    if (DETAIL) { for (int i = 0; i < 4; i++) n += sin(n.zxy * eye.xyz + float(id[gl_InvocationID] + uint(i))); }
    bent[gl_InvocationID] = n;
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID == 0) {
        whole = eye;
        for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = eye.w;
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = 4.0;
    }
}
