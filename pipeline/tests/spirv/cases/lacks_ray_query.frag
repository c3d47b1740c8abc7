#version 460
#extension GL_EXT_ray_query : require
//: lacks a ray tracing type
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) out vec4 color;
void main() {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, 0, 255, vec3(0.0), 0.1, vec3(0.0, 0.0, 1.0), 9.0);
    color = vec4(rayQueryProceedEXT(query));
}
