/* What shaders do, and stages beside vertices and fragments. */
#include "harness.h"

static const char *place_vertex =
    "attribute vec3 place; varying vec2 at;\n"
    "void main() { gl_Position = vec4(place, 1.0); at = place.xy; }\n";

static void loop(void)
{
    use_program(place_vertex,
                "varying vec2 at;\n"
                "void main() { vec2 z = vec2(0.0); int n = 0;\n"
                "for (int i = 0; i < 40; i++) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + at * 1.4 - vec2(0.5, 0.0);\n"
                "if (dot(z, z) > 4.0) break; n = i; }\n"
                "gl_FragColor = vec4(float(n) / 40.0, z * 0.1 + 0.5, 1.0); }\n");
    rectangle(-1.0f, -1.0f, 1.0f, 1.0f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static void clip(void)
{
    const double plane[] = {0.7, 0.5, 0.0, 0.1};
    use_program("attribute vec3 place; varying vec2 at;\n"
                "void main() { gl_Position = vec4(place, 1.0); gl_ClipVertex = gl_Position; at = place.xy; }\n",
                "varying vec2 at; void main() { gl_FragColor = vec4(at * 0.5 + 0.5, 0.4, 1.0); }\n");
    glEnable(GL_CLIP_PLANE0);
    glClipPlane(GL_CLIP_PLANE0, plane);
    rectangle(-0.9f, -0.9f, 0.9f, 0.9f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static void discards(void)
{
    use_program(place_vertex,
                "varying vec2 at;\n"
                "void main() { if (fract(at.x * 5.1) < 0.4 || at.y * at.y > 0.6) discard;\n"
                "gl_FragColor = vec4(sin(at.x * 9.0) * 0.5 + 0.5, exp2(at.y), fract(at.y * 3.0), 1.0); }\n");
    rectangle(-1.0f, -1.0f, 1.0f, 1.0f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

/* The number of samples that passed is the height of a bar. */
static void query(void)
{
    const float first[] = {0.2f, 0.5f, 0.8f, 1.0f}, bar[] = {0.9f, 0.6f, 0.2f, 1.0f};
    GLuint name, passed = 0, program = use_program(flat_vertex, flat_fragment);
    glEnable(GL_DEPTH_TEST);
    draw_rectangle(program, -1.0f, -1.0f, 0.0f, 1.0f, -0.5f, first);
    glGenQueries(1, &name);
    glBeginQuery(GL_SAMPLES_PASSED, name);
    draw_rectangle(program, -0.5f, -0.5f, 0.5f, 0.5f, 0.0f, first);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(name, GL_QUERY_RESULT, &passed);
    draw_rectangle(program, 0.6f, -1.0f, 0.9f, -1.0f + (float)passed / 8192.0f, 0.0f, bar);
}

static void instances(void)
{
    GLuint program = use_program("#version 140\n"
                "in vec3 place; in vec3 color; out vec3 shade;\n"
                "void main() { gl_Position = vec4(place + vec3(0.45 * float(gl_InstanceID) - 0.9, 0.0, 0.0), 1.0);\n"
                "shade = color * (0.4 + 0.2 * float(gl_InstanceID)); }\n",
                "#version 140\n"
                "in vec3 shade; out vec4 color; void main() { color = vec4(shade, 1.0); }\n");
    const float shades[] = {1.0f, 0.2f, 0.2f, 0.2f, 1.0f, 0.2f};
    (void)program;
    rectangle(0.05f, -0.5f, 0.35f, 0.5f, 0.0f);
    attribute(1, 3, shades, 2);
    glVertexAttribDivisor(1, 2);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 6, 4);
}

static void uniforms(void)
{
    float values[64];
    GLuint buffer, program = use_program("#version 140\n"
                "in vec3 place; out vec2 at; void main() { gl_Position = vec4(place, 1.0); at = place.xy; }\n",
                "#version 140\n"
                "layout(std140) uniform Values { vec4 value[16]; }; in vec2 at; out vec4 color;\n"
                "void main() { color = value[int((at.x + 1.0) * 7.99)]; }\n");
    for (int n = 0; n < 64; n++)
        values[n] = (float)(n * 7 % 16) / 15.0f;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof values, values, GL_STATIC_DRAW);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Values"), 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    rectangle(-0.9f, -0.9f, 0.9f, 0.9f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

/* Vertices are kept, and drawn from where they were written. */
static void feedback(void)
{
    const char *captured[] = {"moved"};
    const float triangles[] = {-0.9f, -0.5f, 0.0f, 0.1f, -0.5f, 0.0f, -0.4f, 0.6f, 0.0f};
    const float tint[] = {0.3f, 0.8f, 0.5f, 1.0f};
    GLuint buffer;
    make_program("#version 130\n"
                 "in vec3 place; out vec3 moved; void main() { moved = place.xyz + vec3(0.5, 0.1, 0.0); gl_Position = vec4(place, 1.0); }\n",
                 NULL, "#version 130\nout vec4 color; void main() { color = vec4(0.7, 0.2, 0.3, 1.0); }\n", captured, 1);
    attribute(0, 3, triangles, 3);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    GLuint program = use_program(flat_vertex, flat_fragment);
    glUniform4fv(glGetUniformLocation(program, "tint"), 1, tint);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void geometry(void)
{
    const float places[] = {-0.5f, -0.5f, 0.0f, 0.4f, -0.2f, 0.0f, -0.1f, 0.5f, 0.0f};
    make_program("#version 150\n"
                 "in vec3 place; out vec3 shade; void main() { gl_Position = vec4(place, 1.0); shade = place + 0.5; }\n",
                 "#version 150\n"
                 "layout(points) in; layout(triangle_strip, max_vertices = 4) out; in vec3 shade[]; out vec3 tint;\n"
                 "void main() { for (int n = 0; n < 4; n++) { vec2 c = vec2(float(n & 1), float(n / 2)) * 0.35;\n"
                 "gl_Position = gl_in[0].gl_Position + vec4(c, 0.0, 0.0); tint = shade[0] + vec3(c, 0.3); EmitVertex(); } }\n",
                 "#version 150\n"
                 "in vec3 tint; out vec4 color; void main() { color = vec4(tint, 1.0); }\n",
                 NULL, 0);
    attribute(0, 3, places, 3);
    glDrawArrays(GL_POINTS, 0, 3);
}

const struct scene shader_scenes[] = {
    {"loop", 20, loop},           {"clip", 20, clip},         {"discards", 20, discards}, {"query", 20, query},
    {"instances", 33, instances}, {"uniforms", 31, uniforms}, {"feedback", 30, feedback}, {"geometry", 32, geometry},
    {NULL, 0, NULL},
};
