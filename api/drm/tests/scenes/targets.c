/* Targets beside the picture: float, copies, large ones, several samples, several at once. */
#include "harness.h"

static const float red[] = {0.9f, 0.2f, 0.1f, 1.0f}, green[] = {0.1f, 0.8f, 0.3f, 1.0f};

static const char *show_vertex =
    "attribute vec3 place; varying vec2 at;\n"
    "void main() { gl_Position = vec4(place, 1.0); at = place.xy * 0.5 + 0.5; }\n";
static const char *show_fragment =
    "uniform sampler2D image; uniform float scale; varying vec2 at;\n"
    "void main() { gl_FragColor = vec4(texture2D(image, at).rgb * scale, 1.0); }\n";

static GLuint target_texture(GLenum format, int edge)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, edge, edge, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

static void show(GLuint name, float scale)
{
    glBindFramebuffer(GL_FRAMEBUFFER, picture);
    glViewport(0, 0, EDGE, EDGE);
    glBindTexture(GL_TEXTURE_2D, name);
    GLuint program = use_program(show_vertex, show_fragment);
    glUniform1f(glGetUniformLocation(program, "scale"), scale);
    rectangle(-0.9f, -0.9f, 0.9f, 0.9f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static GLuint draw_to(GLuint name)
{
    GLuint target;
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    return target;
}

static void half_float(void)
{
    const float bright[] = {3.0f, 0.5f, 1.5f, 1.0f}, more[] = {0.5f, 1.0f, 0.25f, 1.0f};
    GLuint name = target_texture(GL_RGBA16F_ARB, 128);
    draw_to(name);
    glViewport(0, 0, 128, 128);
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = use_program(flat_vertex, flat_fragment);
    draw_rectangle(program, -0.6f, -0.6f, 0.3f, 0.5f, 0.0f, bright);
    draw_rectangle(program, 0.0f, -0.2f, 0.8f, 0.8f, 0.0f, more);
    show(name, 0.3f);
}

static void copy(void)
{
    GLuint program = use_program(flat_vertex, flat_fragment);
    draw_rectangle(program, -0.5f, -0.7f, 0.6f, 0.2f, 0.0f, red);
    GLuint name = target_texture(GL_RGBA8, 128);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 40, 20, 128, 128);
    show(name, 0.8f);
}

static void large(void)
{
    GLuint name = target_texture(GL_RGBA8, 1024);
    draw_to(name);
    glViewport(0, 0, 1024, 1024);
    glClearColor(0.2f, 0.5f, 0.4f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = use_program(flat_vertex, flat_fragment);
    draw_rectangle(program, -0.6f, -0.6f, 0.3f, 0.5f, 0.0f, green);
    show(name, 1.0f);
}

static void samples(void)
{
    const float places[] = {-0.8f, -0.7f, 0.0f, 0.85f, -0.6f, 0.1f, 0.05f, 0.9f, -0.2f};
    GLuint target, color;
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, EDGE, EDGE);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("four samples", "are not complete");
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = use_program(flat_vertex, flat_fragment);
    attribute(0, 3, places, 3);
    glUniform4fv(glGetUniformLocation(program, "tint"), 1, red);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, picture);
    glBlitFramebuffer(0, 0, EDGE, EDGE, 0, 0, EDGE, EDGE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void several(void)
{
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint first = target_texture(GL_RGBA8, 128), second = target_texture(GL_RGBA8, 128);
    draw_to(first);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
    glDrawBuffers(2, both);
    glViewport(0, 0, 128, 128);
    glClear(GL_COLOR_BUFFER_BIT);
    use_program("attribute vec3 place; varying vec2 at; void main() { gl_Position = vec4(place, 1.0); at = place.xy; }\n",
                "varying vec2 at; void main() { gl_FragData[0] = vec4(at, 0.5, 1.0); gl_FragData[1] = vec4(0.2, at.yx * 0.5 + 0.5, 1.0); }\n");
    rectangle(-0.7f, -0.8f, 0.8f, 0.7f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    show(first, 1.0f);
    glViewport(64, 64, 128, 128);
    glBindTexture(GL_TEXTURE_2D, second);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

/* A scaled copy between framebuffer objects, and one of depths. */
static void blit(void)
{
    GLuint name = target_texture(GL_RGBA8, 128), target = draw_to(name);
    glViewport(0, 0, 128, 128);
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = use_program(flat_vertex, flat_fragment);
    draw_rectangle(program, -0.6f, -0.6f, 0.3f, 0.5f, 0.0f, red);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, picture);
    glBlitFramebuffer(0, 0, 128, 128, 20, 230, 220, 10, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBlitFramebuffer(10, 10, 60, 60, 200, 200, 250, 250, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

const struct scene target_scenes[] = {
    {"half_float", 20, half_float}, {"copy", 20, copy}, {"large", 20, large}, {"samples", 20, samples},
    {"several", 20, several},       {"blit", 20, blit}, {NULL, 0, NULL},
};
