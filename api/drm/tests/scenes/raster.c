/* Primitives, tests and blending. */
#include "harness.h"

static const float red[] = {0.9f, 0.2f, 0.1f, 1.0f}, green[] = {0.1f, 0.8f, 0.3f, 1.0f}, blue[] = {0.2f, 0.3f, 0.9f, 1.0f};
static const float thin_red[] = {0.9f, 0.2f, 0.1f, 0.5f}, thin_green[] = {0.1f, 0.8f, 0.3f, 0.25f};

static const char *color_vertex =
    "attribute vec3 place; attribute vec3 color; varying vec3 shade;\n"
    "void main() { gl_Position = vec4(place, 1.0); gl_PointSize = 9.0; shade = color; }\n";
static const char *color_fragment =
    "varying vec3 shade;\n"
    "void main() { gl_FragColor = vec4(shade, 1.0); }\n";

static const float corners[] = {-0.8f, -0.7f, 0.0f, 0.85f, -0.6f, 0.1f, 0.05f, 0.9f, -0.2f, -0.9f, 0.5f, 0.3f};
static const float shades[] = {1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 0.0f};

static void colored(void)
{
    use_program(color_vertex, color_fragment);
    attribute(0, 3, corners, 4);
    attribute(1, 3, shades, 4);
}

static void triangle(void)
{
    colored();
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void indexed(void)
{
    const unsigned short indices[] = {0, 1, 2, 2, 3, 0};
    GLuint buffer;
    colored();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL);
}

static void blend(void)
{
    GLuint program = use_program(flat_vertex, flat_fragment);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_rectangle(program, -0.8f, -0.8f, 0.4f, 0.4f, 0.0f, thin_red);
    glBlendFuncSeparate(GL_ONE, GL_SRC_COLOR, GL_ZERO, GL_ONE);
    glBlendEquationSeparate(GL_FUNC_ADD, GL_MAX);
    draw_rectangle(program, -0.3f, -0.3f, 0.8f, 0.8f, 0.0f, thin_green);
}

static void depth(void)
{
    GLuint program = use_program(flat_vertex, flat_fragment);
    glEnable(GL_DEPTH_TEST);
    draw_rectangle(program, -0.8f, -0.8f, 0.4f, 0.4f, 0.2f, red);
    draw_rectangle(program, -0.3f, -0.3f, 0.8f, 0.8f, 0.5f, green);
    glDepthFunc(GL_GREATER);
    draw_rectangle(program, -0.5f, -0.9f, 0.0f, 0.9f, 0.3f, blue);
}

static void stencil(void)
{
    GLuint program = use_program(flat_vertex, flat_fragment);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 3, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    draw_rectangle(program, -0.5f, -0.5f, 0.5f, 0.5f, 0.0f, blue);
    glStencilFunc(GL_EQUAL, 3, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    draw_rectangle(program, -0.9f, -0.2f, 0.9f, 0.2f, 0.0f, green);
    glStencilFunc(GL_LEQUAL, 4, 0xff);
    draw_rectangle(program, -0.1f, -0.9f, 0.1f, 0.9f, 0.0f, red);
}

static void scissor(void)
{
    GLuint program = use_program(flat_vertex, flat_fragment);
    glEnable(GL_SCISSOR_TEST);
    glScissor(31, 45, 101, 77);
    glClearColor(0.8f, 0.7f, 0.2f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(90, 70, 120, 150);
    draw_rectangle(program, -1.0f, -1.0f, 0.9f, 0.9f, 0.0f, green);
    glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_TRUE);
    glScissor(0, 100, 256, 20);
    draw_rectangle(program, -1.0f, -1.0f, 1.0f, 1.0f, 0.0f, blue);
}

static void points(void)
{
    float places[3 * 40], colors[3 * 40];
    for (int n = 0; n < 40; n++) {
        places[3 * n] = (float)(n % 8) * 0.23f - 0.83f;
        places[3 * n + 1] = (float)(n / 8) * 0.37f - 0.76f;
        places[3 * n + 2] = 0.0f;
        for (int k = 0; k < 3; k++)
            colors[3 * n + k] = (float)((n * (k + 3)) % 7) / 6.0f;
    }
    use_program(color_vertex, color_fragment);
    attribute(0, 3, places, 40);
    attribute(1, 3, colors, 40);
    glPointSize(9.0f);
    glDrawArrays(GL_POINTS, 0, 40);
}

static void lines(void)
{
    colored();
    glDrawArrays(GL_LINE_LOOP, 0, 4);
    glLineWidth(5.0f);
    glDrawArrays(GL_LINES, 0, 2);
}

static void outlines(void)
{
    colored();
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void strips(void)
{
    float places[3 * 18], colors[3 * 18];
    for (int n = 0; n < 18; n++) {
        places[3 * n] = (float)(n / 2) * 0.2f - 0.8f;
        places[3 * n + 1] = (float)(n % 2) * 0.6f - 0.8f + 0.05f * (float)n;
        places[3 * n + 2] = 0.0f;
        for (int k = 0; k < 3; k++)
            colors[3 * n + k] = (float)((n * (k + 2)) % 5) / 4.0f;
    }
    use_program(color_vertex, color_fragment);
    attribute(0, 3, places, 18);
    attribute(1, 3, colors, 18);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 10);
    glFrontFace(GL_CCW);
    glShadeModel(GL_FLAT);
    glDrawArrays(GL_TRIANGLE_STRIP, 8, 10);
}

/* Fixed-function fog, alpha test, and lights at vertices. */
static void fog(void)
{
    const float haze[] = {0.7f, 0.7f, 0.75f, 1.0f};
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, 0.0f);
    glFogf(GL_FOG_END, 1.3f);
    glFogfv(GL_FOG_COLOR, haze);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_GREATER, 0.4f);
    glBegin(GL_QUADS);
    glColor4f(1.0f, 0.3f, 0.1f, 0.1f);
    glVertex3f(-0.9f, -0.9f, 0.0f);
    glVertex3f(0.9f, -0.9f, -0.9f);
    glColor4f(0.1f, 0.4f, 1.0f, 1.0f);
    glVertex3f(0.9f, 0.9f, -0.9f);
    glVertex3f(-0.9f, 0.9f, 0.0f);
    glEnd();
}

static void lit(void)
{
    const float above[] = {0.4f, 0.7f, 0.8f, 0.0f}, shine[] = {0.9f, 0.9f, 0.8f, 1.0f};
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    glLightfv(GL_LIGHT0, GL_POSITION, above);
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, shine);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 12.0f);
    for (int row = 0; row < 8; row++) {
        glBegin(GL_TRIANGLE_STRIP);
        for (int column = 0; column <= 16; column++)
            for (int side = 1; side >= 0; side--) {
                float a = (float)(row + side) * 3.14159265f / 8.0f, b = (float)column * 6.2831853f / 16.0f;
                float x = sinf(a) * cosf(b), y = cosf(a), z = sinf(a) * sinf(b);
                glColor3f(0.8f, 0.5f + 0.3f * y, 0.3f);
                glNormal3f(x, y, z);
                glVertex3f(0.8f * x, 0.8f * y, -0.8f * z);
            }
        glEnd();
    }
}

const struct scene raster_scenes[] = {
    {"triangle", 20, triangle}, {"indexed", 20, indexed},   {"blend", 20, blend},   {"depth", 20, depth},
    {"stencil", 20, stencil},   {"scissor", 20, scissor},   {"points", 20, points}, {"lines", 20, lines},
    {"outlines", 20, outlines}, {"strips", 20, strips},     {"fog", 20, fog},       {"lit", 20, lit},
    {NULL, 0, NULL},
};
