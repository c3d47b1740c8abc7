/* Twelve small OpenGL 2.1 programs of 64 by 64 pixels. `programs NAME FILE` draws one and writes its pixels: red, green,
   blue and alpha, the lowest row first. README.md beside this file says how their streams were made. */
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 64

static void triangle(float x, float y, float r, float z) {
    glBegin(GL_TRIANGLES);
    glVertex3f(x - r, y - r, z);
    glVertex3f(x + r, y - r, z);
    glVertex3f(x, y + r, z);
    glEnd();
}

static void rectangle(float x0, float y0, float x1, float y1, float z) {
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0); glVertex3f(x0, y0, z);
    glTexCoord2f(1, 0); glVertex3f(x1, y0, z);
    glTexCoord2f(1, 1); glVertex3f(x1, y1, z);
    glTexCoord2f(0, 1); glVertex3f(x0, y1, z);
    glEnd();
}

static void background(void) {
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static GLuint program(const char *vertex, const char *fragment) {
    GLuint p = glCreateProgram();
    const char *texts[2] = {vertex, fragment};
    for (int n = 0; n < 2; n++) {
        GLuint s = glCreateShader(n ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[n], 0);
        glCompileShader(s);
        glAttachShader(p, s);
    }
    glLinkProgram(p);
    GLint linked;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1000];
        glGetProgramInfoLog(p, sizeof log, 0, log);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
    glUseProgram(p);
    return p;
}

/* A checkerboard whose squares have a colour of their own. */
static void checker(GLenum target, int size, int square, int seed) {
    static unsigned char texels[SIZE * SIZE * 4];
    for (int n = 0; n < size * size; n++) {
        int x = n % size / square, y = n / size / square, odd = (x + y) & 1;
        texels[4 * n] = odd ? 255 - 20 * x : 30 * y + seed;
        texels[4 * n + 1] = odd ? 40 * y : 200 - seed;
        texels[4 * n + 2] = odd ? 80 : 10 * x + 2 * seed;
        texels[4 * n + 3] = odd ? 255 : 100;
    }
    glTexImage2D(target, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

static void filters(GLenum target, GLint min, GLint mag, GLint wrap) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
}

static void perspective(void) {
    glMatrixMode(GL_PROJECTION);
    glFrustum(-1, 1, -1, 1, 1, 20);
    glMatrixMode(GL_MODELVIEW);
}

/* Whole and scissored clears, with masks. */
static void clear(void) {
    background();
    glEnable(GL_SCISSOR_TEST);
    glScissor(5, 9, 31, 22);
    glClearColor(1, 0.2f, 0.1f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glScissor(20, 20, 40, 40);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glClearColor(0, 1, 0.9f, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* A receding floor, repeated and filtered, and a rectangle of nearest texels. */
static void textured(void) {
    background();
    glEnable(GL_TEXTURE_2D);
    checker(GL_TEXTURE_2D, 16, 4, 20);
    filters(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_REPEAT);
    perspective();
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0); glVertex3f(-2, -1, -1.2f);
    glTexCoord2f(3, 0); glVertex3f(2, -1, -1.2f);
    glTexCoord2f(3, 6); glVertex3f(2, -0.5f, -12);
    glTexCoord2f(0, 6); glVertex3f(-2, -0.5f, -12);
    glEnd();
    filters(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glColor4f(1, 0.8f, 0.6f, 1);
    rectangle(-1.5f, 0.1f, 0.9f, 1.6f, -2);
}

/* Factors, equations, a constant, a mask and a logical operation. */
static void blended(void) {
    background();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glColor4f(1, 0, 0, 0.5f);
    triangle(-0.4f, -0.4f, 0.5f, 0);
    glBlendFunc(GL_ONE, GL_ONE);
    glColor4f(0.1f, 0.4f, 0, 0.2f);
    triangle(0, -0.3f, 0.5f, 0);
    glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    glColor4f(0.2f, 0.2f, 0.5f, 0);
    triangle(0.4f, -0.4f, 0.5f, 0);
    glBlendEquationSeparate(GL_MAX, GL_FUNC_ADD);
    glColor4f(0.6f, 0.1f, 0.2f, 0.3f);
    triangle(-0.4f, 0.4f, 0.5f, 0);
    glBlendEquation(GL_FUNC_ADD);
    glBlendColor(0.5f, 0.25f, 0.75f, 0.5f);
    glBlendFuncSeparate(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_ALPHA, GL_ZERO, GL_ONE);
    glColor4f(1, 1, 0.5f, 1);
    triangle(0.1f, 0.4f, 0.5f, 0);
    glDisable(GL_BLEND);
    glEnable(GL_COLOR_LOGIC_OP);
    glLogicOp(GL_XOR);
    glColorMask(GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE);
    glColor4f(0.6f, 0.6f, 0.6f, 0);
    triangle(0.5f, 0.5f, 0.45f, 0);
}

/* Three receding strips: linear, exponential and squared. */
static void fogged(void) {
    static const GLenum modes[3] = {GL_LINEAR, GL_EXP, GL_EXP2};
    static const float color[4] = {0.25f, 0.5f, 0.75f, 1};
    background();
    perspective();
    glEnable(GL_FOG);
    glFogfv(GL_FOG_COLOR, color);
    glFogf(GL_FOG_START, 1.5f);
    glFogf(GL_FOG_END, 9);
    for (int n = 0; n < 3; n++) {
        glFogi(GL_FOG_MODE, modes[n]);
        glFogf(GL_FOG_DENSITY, n == 1 ? 0.25f : 0.15f);
        glColor3f(n == 0, n == 1, 1 - 0.5f * n);
        float x = -1.1f + 0.75f * n;
        glBegin(GL_QUADS);
        glVertex3f(x, -1, -1);
        glVertex3f(x + 0.7f, -1, -1);
        glVertex3f(4 * x + 2.8f, 4, -12);
        glVertex3f(4 * x, 4, -12);
        glEnd();
    }
}

/* A gem of triangles with smooth normals, two lights, a specular one, in front of a lit wall. */
static void lit(void) {
    static const float place[2][4] = {{1, 1, 1, 0}, {-1.5f, 0.5f, 0.5f, 1}};
    static const float color[2][4] = {{0.9f, 0.8f, 0.6f, 1}, {0.2f, 0.3f, 0.9f, 1}};
    static const float shine[4] = {1, 1, 1, 1}, body[4] = {0.8f, 0.5f, 0.4f, 1};
    static const float ends[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    background();
    perspective();
    glTranslatef(0, 0, -2.2f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_NORMALIZE);
    for (int n = 0; n < 2; n++) {
        glEnable(GL_LIGHT0 + n);
        glLightfv(GL_LIGHT0 + n, GL_POSITION, place[n]);
        glLightfv(GL_LIGHT0 + n, GL_DIFFUSE, color[n]);
        glLightfv(GL_LIGHT0 + n, GL_SPECULAR, color[n]);
    }
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, body);
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, shine);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 12);
    glNormal3f(0, 0, 1);
    rectangle(-2.4f, -2.4f, 2.4f, 0.4f, -0.6f);
    glRotatef(25, 1, 0.5f, 0.2f);
    glBegin(GL_TRIANGLES);
    for (int n = 0; n < 8; n++)
        for (int k = 0; k < 3; k++) {
            const float *at = ends[(n >> k & 1) * 3 + k];
            glNormal3fv(at);
            glVertex3f(1.3f * at[0], 1.3f * at[1], 1.3f * at[2]);
        }
    glEnd();
}

static void facets(void) {
    background();
    glEnable(GL_DEPTH_TEST);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0.9f, 0); glVertex3f(-0.9f, -0.7f, -0.5f);
    glColor3f(1, 0, 0.2f); glVertex3f(0.8f, -0.9f, 0.5f);
    glColor3f(0, 1, 0.4f); glVertex3f(0.1f, 0.9f, 0);
    glColor3f(0, 0, 0); glVertex3f(-0.8f, 0.6f, 0.4f);
    glColor3f(0.2f, 0, 0.6f); glVertex3f(-0.6f, -0.2f, 0.4f);
    glColor3f(1, 1, 1); glVertex3f(0.9f, 0.3f, -0.4f);
    glEnd();
}

/* Four pictures, each moved so that its pixel centres are where one of r300's samples is, and their mean. */
static void averaged(void) {
    static const float places[4][2] = {{4, 4}, {8, 8}, {2, 10}, {10, 2}};
    static unsigned char part[SIZE * SIZE * 4];
    static int sums[SIZE * SIZE * 4];
    for (int n = 0; n < 4; n++) {
        /* Twelfths of a pixel from the upper left; a picture is two wide and its y points up. */
        glLoadIdentity();
        glTranslatef((6 - places[n][0]) / 12 * 2 / SIZE, (places[n][1] - 6) / 12 * 2 / SIZE, 0);
        facets();
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, part);
        for (unsigned k = 0; k < sizeof part; k++) sums[k] += part[k];
    }
    for (unsigned k = 0; k < sizeof part; k++) part[k] = (sums[k] + 2) / 4;
    glLoadIdentity();
    glDisable(GL_DEPTH_TEST);
    glRasterPos2f(-1, -1);
    glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, part);
}

/* Triangles through each other into four samples, resolved. */
static void multisampled(void) {
    GLuint frame, buffers[2];
    GLint most;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    if (most < 4) { averaged(); return; }
    glGenFramebuffers(1, &frame);
    glGenRenderbuffers(2, buffers);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (int n = 0; n < 2; n++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[n]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, n ? GL_DEPTH24_STENCIL8 : GL_RGBA8, SIZE, SIZE);
    }
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    glEnable(GL_MULTISAMPLE);
    facets();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* A place on the screen in pixels. A tenth of a pixel keeps edges of rectangles off pixel centres. */
static void at(float x, float y) {
    glVertex2f((x + 0.1f) / 32 - 1, (y + 0.1f) / 32 - 1);
}

/* Points of several sizes and point sprites, some beyond the edge. */
static void points(void) {
    background();
    for (int n = 0; n < 12; n++) {
        float half = n & 1 ? 0 : 0.5f;
        glPointSize(1 + n);
        glColor3f(0.08f * n, 1 - 0.08f * n, n & 1);
        glBegin(GL_POINTS);
        at(2 + 17 * (n & 3) + half, 3 + 13 * (n >> 2) + half);
        glEnd();
    }
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_POINT_SPRITE);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    checker(GL_TEXTURE_2D, 8, 2, 60);
    filters(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
    glColor3f(1, 1, 1);
    glPointSize(19);
    glBegin(GL_POINTS);
    at(16.5f, 50.5f);
    at(44.5f, 55.5f);
    glEnd();
}

/* Thin and wide lines in all directions, a thin loop and a wide strip. */
static void lines(void) {
    background();
    for (int n = 0; n < 10; n++) {
        glLineWidth(1 + n % 4);
        glColor3f(1 - 0.1f * n, 0.1f * n, n & 1);
        glBegin(GL_LINES);
        glVertex2f(-0.9f, -0.85f + 0.1f * n);
        glVertex2f(-0.1f + 0.03f * n, 0.95f - 0.19f * n);
        glEnd();
    }
    glLineWidth(1);
    glColor3f(1, 1, 0);
    glBegin(GL_LINE_LOOP);
    glVertex2f(0.31f, -0.83f);
    glVertex2f(0.93f, -0.41f);
    glVertex2f(0.52f, -0.07f);
    glEnd();
    glLineWidth(5);
    glColor3f(1, 1, 1);
    glBegin(GL_LINE_STRIP);
    glVertex2f(0.27f, 0.13f);
    glVertex2f(0.97f, 0.24f);
    glVertex2f(0.61f, 0.92f);
    glVertex2f(0.33f, 0.57f);
    glEnd();
}

/* A mask that counts covering triangles, what is drawn where it is even, and two sides. */
static void stencil(void) {
    background();
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, 255);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INVERT);
    glColorMask(0, 0, 0, 0);
    triangle(-0.3f, 0, 0.6f, 0);
    triangle(0.3f, 0.1f, 0.6f, 0);
    glColorMask(1, 1, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_EQUAL, 255, 255);
    glColor3f(0.9f, 0.7f, 0.1f);
    rectangle(-1, -1, 1, 0.4f, 0);
    glStencilFunc(GL_EQUAL, 0, 255);
    glColor3f(0.3f, 0.1f, 0.4f);
    rectangle(-0.5f, -0.8f, 0.5f, 0.9f, 0);
    glStencilFunc(GL_ALWAYS, 0, 255);
    glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR_WRAP);
    glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_DECR_WRAP);
    glColorMask(0, 0, 0, 0);
    triangle(0.2f, 0.5f, 0.4f, 0);
    triangle(0.6f, 0.4f, -0.35f, 0);
    glColorMask(1, 1, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_LESS, 127, 127);
    glStencilFuncSeparate(GL_FRONT, GL_EQUAL, 1, 3);
    glColor3f(0.9f, 0.9f, 1);
    rectangle(-1, 0, 1, 1, 0);
}

/* A gem that reflects six checkerboards. */
static void cube(void) {
    background();
    GLuint p = program(
        "varying vec3 r; void main() { gl_Position = gl_Vertex; r = gl_MultiTexCoord0.xyz; }",
        "uniform samplerCube s; varying vec3 r; void main() { gl_FragColor = textureCube(s, r); }");
    glUniform1i(glGetUniformLocation(p, "s"), 0);
    for (int n = 0; n < 6; n++) checker(GL_TEXTURE_CUBE_MAP_POSITIVE_X + n, 8, 2, 10 + 14 * n);
    filters(GL_TEXTURE_CUBE_MAP, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
    for (int n = 0; n < 8; n++) {
        float x = n & 1 ? 1 : -1, y = n & 2 ? 1 : -1, z = n & 4 ? 1 : -1;
        float left = -0.95f + 0.48f * (n & 3), low = n & 4 ? 0.05f : -0.85f;
        glBegin(GL_TRIANGLES);
        glTexCoord3f(1.4f * x, 0.2f, 0.3f); glVertex2f(left, low);
        glTexCoord3f(0.1f, 1.5f * y, -0.2f); glVertex2f(left + 0.45f, low + 0.2f);
        glTexCoord3f(0.3f, -0.3f, 1.3f * z); glVertex2f(left + 0.15f, low + 0.8f);
        glEnd();
    }
}

/* A vertex program that loops, a pixel program with a loop, a break and branches. */
static void loops(void) {
    background();
    GLuint p = program(
        "uniform int turns; varying vec2 c;"
        "void main() { vec2 at = gl_Vertex.xy; for (int n = 0; n < turns; n++) at = 0.9 * at + 0.06 * at.yx;"
        " gl_Position = vec4(at, 0.0, 1.0); c = 1.6 * gl_Vertex.xy; }",
        "uniform int most; varying vec2 c;"
        "void main() { vec2 z = vec2(0.0); float n = 0.0;"
        " for (int k = 0; k < most; k++) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c - vec2(0.5, 0.0);"
        "  if (dot(z, z) > 4.0) break; n += 1.0; }"
        " if (n > 11.5) gl_FragColor = vec4(0.0, 0.0, 0.2, 1.0);"
        " else if (c.y > 0.3) gl_FragColor = vec4(n / 12.0, 0.3, 1.0 - n / 12.0, 1.0);"
        " else { gl_FragColor = vec4(0.2, n / 12.0, 0.5, 1.0); if (c.x > 1.2) discard; } }");
    glUniform1i(glGetUniformLocation(p, "turns"), 2);
    glUniform1i(glGetUniformLocation(p, "most"), 12);
    rectangle(-1, -1, 1, 1, 0);
}

/* A receding floor with generated levels, and level after level of a bias. */
static void mipmaps(void) {
    background();
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    checker(GL_TEXTURE_2D, 32, 8, 30);
    filters(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, GL_REPEAT);
    perspective();
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0); glVertex3f(-3, -1, -1);
    glTexCoord2f(6, 0); glVertex3f(3, -1, -1);
    glTexCoord2f(6, 24); glVertex3f(3, -0.4f, -16);
    glTexCoord2f(0, 24); glVertex3f(-3, -0.4f, -16);
    glEnd();
    filters(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
    for (int n = 0; n < 4; n++) {
        glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, n);
        rectangle(-1.9f + n, 0.3f, -1.1f + n, 1.8f, -2);
    }
}

static const struct { const char *name; void (*draw)(void); } PROGRAMS[] = {
    {"clear", clear}, {"textured", textured}, {"blended", blended}, {"fogged", fogged},
    {"lit", lit}, {"multisampled", multisampled}, {"points", points}, {"lines", lines},
    {"stencil", stencil}, {"cube", cube}, {"loops", loops}, {"mipmaps", mipmaps},
};

int main(int count, char **words) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, 0);
    EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8,
        EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8, EGL_NONE};
    EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
    EGLConfig config;
    EGLint found = 0;
    if (!eglInitialize(display, 0, 0) || !eglBindAPI(EGL_OPENGL_API)) return 1;
    eglChooseConfig(display, wanted, &config, 1, &found);
    if (!found || count < 3) return 1;
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, 0);
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    eglMakeCurrent(display, surface, surface, context);
    fprintf(stderr, "%s\n", glGetString(GL_RENDERER));
    for (unsigned n = 0; n < sizeof PROGRAMS / sizeof *PROGRAMS; n++) {
        if (strcmp(PROGRAMS[n].name, words[1])) continue;
        glViewport(0, 0, SIZE, SIZE);
        PROGRAMS[n].draw();
        glFinish();
        static unsigned char pixels[SIZE * SIZE * 4];
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        FILE *file = fopen(words[2], "wb");
        fwrite(pixels, 1, sizeof pixels, file);
        fclose(file);
        return glGetError();
    }
    return 1;
}
