#version 450
// Up to four copies of a line, as many as the number of the primitive says, each on another layer; a function emits.
layout(lines, invocations = 8) in;
layout(line_strip, max_vertices = 5) out;
layout(location = 0) in vec4 col[2];
layout(location = 3) out vec2 at;
out gl_PerVertex { vec4 gl_Position; };

void point(int vertex, int copy) {
    gl_Layer = copy;
    at = col[vertex].xy;
    gl_Position = gl_in[vertex].gl_Position * float(copy + 1);
    EmitVertex();
}

void main() {
    for (int copy = 0; copy < gl_PrimitiveIDIn % 4; copy++) {
        point(0, copy);
        if (copy == 2) continue;
        point(1, gl_InvocationID);
        EndPrimitive();
    }
}
