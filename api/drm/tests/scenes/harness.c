/* Draws scenes without a window and writes their pictures: rows of RGBA from the bottom.
 *
 *     scenes FOLDER [NAME...]
 *     scenes FOLDER -NAME...      all but these
 *
 * Prints the renderer, and for each scene whether it is offered. */
#include "harness.h"

GLuint picture;

const char *flat_vertex =
    "attribute vec3 place;\n"
    "void main() { gl_Position = vec4(place, 1.0); }\n";
const char *flat_fragment =
    "uniform vec4 tint;\n"
    "void main() { gl_FragColor = tint; }\n";

void fail(const char *what, const char *more)
{
    fprintf(stderr, "scenes: %s %s\n", what, more);
    exit(1);
}

static GLuint compile(GLenum stage, const char *source)
{
    GLuint shader = glCreateShader(stage);
    GLint done;
    char log[2048] = "";
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!done)
        fail("shader:", log);
    return shader;
}

GLuint make_program(const char *vertex, const char *geometry, const char *fragment, const char *const *captured, int count)
{
    GLuint program = glCreateProgram();
    GLint done;
    char log[2048] = "";
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
    if (geometry)
        glAttachShader(program, compile(GL_GEOMETRY_SHADER, geometry));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "color");
    if (count)
        glTransformFeedbackVaryings(program, count, captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!done)
        fail("program:", log);
    glUseProgram(program);
    return program;
}

GLuint use_program(const char *vertex, const char *fragment)
{
    return make_program(vertex, NULL, fragment, NULL, 0);
}

void attribute(GLuint index, int components, const float *values, int count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(float) * (size_t)(components * count)), values, GL_STATIC_DRAW);
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, 0, NULL);
}

void rectangle(float x0, float y0, float x1, float y1, float z)
{
    const float places[] = {x0, y0, z, x1, y0, z, x0, y1, z, x0, y1, z, x1, y0, z, x1, y1, z};
    attribute(0, 3, places, 6);
}

void draw_rectangle(GLuint program, float x0, float y0, float x1, float y1, float z, const float tint[4])
{
    rectangle(x0, y0, x1, y1, z);
    glUniform4fv(glGetUniformLocation(program, "tint"), 1, tint);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

GLuint texture(GLenum target, int edge, int levels)
{
    GLuint name;
    unsigned char *texels = malloc((size_t)(4 * edge * edge * edge));
    glGenTextures(1, &name);
    glBindTexture(target, name);
    for (int level = 0; level < levels; level++) {
        int size = edge >> level, layers = target == GL_TEXTURE_2D ? 1 : target == GL_TEXTURE_CUBE_MAP ? 6 : size;
        for (int z = 0; z < layers; z++)
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++) {
                    unsigned char *texel = texels + 4 * ((z * size + y) * size + x);
                    int on = ((x * 8 / size) ^ (y * 8 / size) ^ z) & 1;
                    texel[0] = (unsigned char)(on ? 230 - 30 * level : 20);
                    texel[1] = (unsigned char)(x * 255 / size);
                    texel[2] = (unsigned char)(y * 200 / size + 9 * z);
                    texel[3] = 255;
                }
        if (target == GL_TEXTURE_3D)
            glTexImage3D(target, level, GL_RGBA8, size, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        else if (target == GL_TEXTURE_CUBE_MAP)
            for (int face = 0; face < 6; face++)
                glTexImage2D((GLenum)(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), level, GL_RGBA8, size, size, 0, GL_RGBA,
                             GL_UNSIGNED_BYTE, texels + 4 * face * size * size);
        else
            glTexImage2D(target, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    }
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, levels > 1 ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, target == GL_TEXTURE_2D ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, target == GL_TEXTURE_2D ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    free(texels);
    return name;
}

static void make_picture(void)
{
    GLuint color, depth;
    glGenFramebuffers(1, &picture);
    glBindFramebuffer(GL_FRAMEBUFFER, picture);
    glGenTextures(1, &color);
    glBindTexture(GL_TEXTURE_2D, color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, EDGE, EDGE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, EDGE, EDGE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("the framebuffer object", "is not complete");
    glViewport(0, 0, EDGE, EDGE);
    glClearColor(0.1f, 0.15f, 0.3f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void save(const char *folder, const char *name)
{
    static unsigned char pixels[4 * EDGE * EDGE];
    char path[4096];
    glBindFramebuffer(GL_FRAMEBUFFER, picture);
    glReadPixels(0, 0, EDGE, EDGE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    GLenum error = glGetError();
    if (error) {
        snprintf(path, sizeof path, "error %#x", error);
        fail(name, path);
    }
    snprintf(path, sizeof path, "%s/%s.rgba", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(pixels, 1, sizeof pixels, file) != sizeof pixels || fclose(file))
        fail("cannot write", path);
}

/* A context, without the old functions where only those offer the version. */
static EGLContext make_context(EGLDisplay display, const struct scene *scene, int core)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, scene->version / 10, EGL_CONTEXT_MINOR_VERSION,
                                 scene->version % 10, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, core ? attributes : NULL);
    if (context && !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail(scene->name, "has no context");
    return context;
}

static int offers(const struct scene *scene)
{
    int major = 0, minor = 0;
    sscanf((const char *)glGetString(GL_VERSION), "%d.%d", &major, &minor);
    return 10 * major + minor >= scene->version;
}

static void run(EGLDisplay display, const struct scene *scene, const char *folder)
{
    EGLContext context = make_context(display, scene, 0);
    if (!context)
        fail(scene->name, "has no context");
    static int told;
    if (!told++)
        printf("renderer: %s\n", (const char *)glGetString(GL_RENDERER));
    if (!offers(scene)) {
        EGLContext core = make_context(display, scene, 1);
        if (core) {
            GLuint arrays;
            eglDestroyContext(display, context);
            context = core;
            glGenVertexArrays(1, &arrays);
            glBindVertexArray(arrays);
        }
    }
    if (!offers(scene)) {
        printf("%s: not offered\n", scene->name);
    } else {
        make_picture();
        scene->draw();
        save(folder, scene->name);
        printf("%s: drawn\n", scene->name);
    }
    fflush(stdout);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
}

int main(int count, char **arguments)
{
    if (count < 2)
        fail("usage:", "scenes FOLDER [NAME...]");
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("there is", "no display");
    const struct scene *files[] = {raster_scenes, texture_scenes, shader_scenes, target_scenes};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++)
        for (const struct scene *scene = files[n]; scene->name; scene++) {
            int wanted = count == 2 || arguments[2][0] == '-';
            for (int n = 2; n < count; n++) {
                const char *name = arguments[n];
                if (name[0] == '-')
                    wanted &= strcmp(name + 1, scene->name) != 0;
                else
                    wanted |= !strcmp(name, scene->name);
            }
            if (wanted)
                run(display, scene, arguments[1]);
        }
    eglTerminate(display);
    return 0;
}
