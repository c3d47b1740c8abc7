/* What the scenes share: a context without a window, shaders, buffers, the picture. */
#ifndef HARNESS_H
#define HARNESS_H

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Edge of pictures, in pixels. */
#define EDGE 256

/* A scene. Its version of OpenGL is ten times major and minor. */
struct scene {
    const char *name;
    int version;
    void (*draw)(void);
};

/* The scenes of a file, up to one without a name. */
extern const struct scene raster_scenes[], texture_scenes[], shader_scenes[], target_scenes[];

/* The framebuffer object that becomes the picture: RGBA of 8 bits, depth and stencil. */
extern GLuint picture;

/* Ends the program with a message. */
void fail(const char *what, const char *more);

/* A program of a vertex and a fragment shader, in use. Attribute 0 is `place`, 1 is `color`. */
GLuint use_program(const char *vertex, const char *fragment);
/* The same with outputs that are captured, or with a geometry shader. */
GLuint make_program(const char *vertex, const char *geometry, const char *fragment, const char *const *captured, int count);

/* Binds floats to an attribute of so many components. */
void attribute(GLuint index, int components, const float *values, int count);
/* A rectangle of two triangles as attribute 0: x, y, z. */
void rectangle(float x0, float y0, float x1, float y1, float z);
/* Draws a rectangle in one colour with a program of `uniform vec4 tint`. */
void draw_rectangle(GLuint program, float x0, float y0, float x1, float y1, float z, const float tint[4]);

/* A texture of a pattern, bound to `target`: squares in two colours that depend on the level and the layer. */
GLuint texture(GLenum target, int edge, int levels);

/* Shaders that give `place` as it is and fill with `uniform vec4 tint`. */
extern const char *flat_vertex, *flat_fragment;

#endif
