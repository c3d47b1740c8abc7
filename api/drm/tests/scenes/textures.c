/* Textures of all kinds. */
#include "harness.h"

static const char *texture_vertex =
    "attribute vec3 place; varying vec2 at;\n"
    "void main() { gl_Position = vec4(place, 1.0); at = place.xy; }\n";

static void textured(const char *fragment)
{
    use_program(texture_vertex, fragment);
    rectangle(-0.95f, -0.95f, 0.95f, 0.95f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static void nearest(void)
{
    texture(GL_TEXTURE_2D, 32, 1);
    textured("uniform sampler2D image; varying vec2 at;\n"
             "void main() { gl_FragColor = texture2D(image, at * 0.7 + 0.3); }\n");
}

static void mipmaps(void)
{
    texture(GL_TEXTURE_2D, 64, 7);
    textured("uniform sampler2D image; varying vec2 at;\n"
             "void main() { gl_FragColor = texture2D(image, at / (1.4 - at.y)); }\n");
}

static void cube(void)
{
    texture(GL_TEXTURE_CUBE_MAP, 32, 1);
    textured("uniform samplerCube image; varying vec2 at;\n"
             "void main() { vec2 a = at * 3.0; vec3 d = vec3(sin(a.x) * cos(a.y), sin(a.y), cos(a.x) * cos(a.y));\n"
             "gl_FragColor = textureCube(image, d); }\n");
}

static void volume(void)
{
    texture(GL_TEXTURE_3D, 16, 1);
    textured("uniform sampler3D image; varying vec2 at;\n"
             "void main() { gl_FragColor = texture3D(image, vec3(at * 0.5 + 0.5, 0.5 + 0.4 * at.x)); }\n");
}

/* Levels of extents that are no powers of two: each quarter of the picture reads another. */
static void uneven(void)
{
    static unsigned char texels[4 * 75 * 42];
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (int level = 0; level < 7; level++) {
        int width = 75 >> level ? 75 >> level : 1, height = 42 >> level ? 42 >> level : 1;
        for (int n = 0; n < width * height; n++) {
            texels[4 * n] = (unsigned char)(n % width * 255 / width);
            texels[4 * n + 1] = (unsigned char)(n / width * 255 / height);
            texels[4 * n + 2] = (unsigned char)(40 * level);
            texels[4 * n + 3] = 255;
        }
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 6);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    textured("#version 130\n"
             "uniform sampler2D image; in vec2 at; out vec4 color;\n"
             "void main() { float n = floor(at.x * 2.0 + 2.0) + (at.y > 0.0 ? 3.0 : 0.0); color = textureLod(image, at * 2.0, n); }\n");
}

static void generated(void)
{
    texture(GL_TEXTURE_2D, 64, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 6);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    textured("uniform sampler2D image; varying vec2 at;\n"
             "void main() { gl_FragColor = texture2D(image, at * 2.7, 0.6); }\n");
}

/* Compares with depths that were drawn. */
static void shadow(void)
{
    const float near[] = {1.0f, 1.0f, 1.0f, 1.0f};
    GLuint target, depths, program;
    glGenTextures(1, &depths);
    glBindTexture(GL_TEXTURE_2D, depths);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 64, 64, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depths, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glViewport(0, 0, 64, 64);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    program = use_program(flat_vertex, flat_fragment);
    draw_rectangle(program, -0.6f, -0.5f, 0.3f, 0.7f, -0.2f, near);
    glBindFramebuffer(GL_FRAMEBUFFER, picture);
    glViewport(0, 0, EDGE, EDGE);
    glDisable(GL_DEPTH_TEST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    textured("uniform sampler2DShadow image; varying vec2 at;\n"
             "void main() { float lit = shadow2D(image, vec3(at * 0.5 + 0.5, 0.5 + 0.3 * at.x)).r;\n"
             "gl_FragColor = vec4(lit, 0.5 * lit + 0.2, 0.3, 1.0); }\n");
}

static void layers(void)
{
    unsigned char texels[4 * 16 * 16 * 4];
    GLuint name;
    for (int n = 0; n < 16 * 16 * 4; n++) {
        int x = n % 16, y = n / 16 % 16, z = n / 256;
        texels[4 * n] = (unsigned char)(x * 16);
        texels[4 * n + 1] = (unsigned char)(y * 16);
        texels[4 * n + 2] = (unsigned char)(z * 80);
        texels[4 * n + 3] = 255;
    }
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D_ARRAY, name);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 16, 16, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    textured("#version 130\n"
             "uniform sampler2DArray image; in vec2 at; out vec4 color;\n"
             "void main() { color = texture(image, vec3(at * 2.0, floor(at.x * 2.0 + 2.0))); }\n");
}

static void integers(void)
{
    int texels[4 * 16 * 16];
    GLuint name;
    for (int n = 0; n < 4 * 16 * 16; n++)
        texels[n] = (n * 37) % 1000 - 300;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 16, 16, 0, GL_RGBA_INTEGER, GL_INT, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    textured("#version 130\n"
             "uniform isampler2D image; in vec2 at; out vec4 color;\n"
             "void main() { ivec4 t = texelFetch(image, ivec2((at + 1.0) * 7.9), 0) + textureSize(image, 0).x;\n"
             "color = vec4(vec3(t.xyz & 255) / 255.0, 1.0); }\n");
}

const struct scene texture_scenes[] = {
    {"nearest", 20, nearest}, {"mipmaps", 20, mipmaps},     {"cube", 20, cube},     {"volume", 20, volume},
    {"shadow", 20, shadow},   {"generated", 21, generated}, {"layers", 30, layers}, {"integers", 30, integers},
    {"uneven", 30, uneven},
    {NULL, 0, NULL},
};
