/* A compute shader, a draw that reads what it wrote, and a copy, through Vulkan 1.3.
 *
 *     vulkan SHADERS OUT.rgba
 *
 * SHADERS is a folder with vert.spv, frag.spv and comp.spv. Prints the device; writes rows of RGBA from the top. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define EDGE 256
#define BYTES (4 * EDGE * EDGE)

static VkDevice device;
static VkPhysicalDevice physical;

static void check(VkResult result, const char *what)
{
    if (result) {
        fprintf(stderr, "vulkan: %s: %d\n", what, result);
        exit(1);
    }
}

static VkShaderModule module(const char *folder, const char *name)
{
    char path[4096];
    static uint32_t words[16384];
    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *file = fopen(path, "rb");
    size_t bytes = file ? fread(words, 1, sizeof words, file) : 0;
    check(bytes ? VK_SUCCESS : VK_INCOMPLETE, path);
    fclose(file);
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, bytes, words};
    VkShaderModule made;
    check(vkCreateShaderModule(device, &info, NULL, &made), "shader");
    return made;
}

static VkDeviceMemory memory(VkMemoryRequirements needs, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties kinds;
    VkDeviceMemory made;
    uint32_t kind = 0;
    vkGetPhysicalDeviceMemoryProperties(physical, &kinds);
    while (kind < kinds.memoryTypeCount &&
           !(needs.memoryTypeBits >> kind & 1 && (kinds.memoryTypes[kind].propertyFlags & wanted) == wanted))
        kind++;
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, kind};
    check(vkAllocateMemory(device, &info, NULL, &made), "memory");
    return made;
}

static VkBuffer buffer(VkDeviceSize bytes, VkBufferUsageFlags usage, VkDeviceMemory *place)
{
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, NULL, 0, bytes, usage, 0, 0, NULL};
    VkBuffer made;
    VkMemoryRequirements needs;
    check(vkCreateBuffer(device, &info, NULL, &made), "buffer");
    vkGetBufferMemoryRequirements(device, made, &needs);
    *place = memory(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(device, made, *place, 0), "bind");
    return made;
}

static VkImage target(VkImageView *view)
{
    VkImageCreateInfo info = {
        VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, NULL, 0, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {EDGE, EDGE, 1}, 1, 1,
        VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_TILING_OPTIMAL,
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0, 0, NULL, VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage made;
    VkMemoryRequirements needs;
    check(vkCreateImage(device, &info, NULL, &made), "image");
    vkGetImageMemoryRequirements(device, made, &needs);
    check(vkBindImageMemory(device, made, memory(needs, 0), 0), "bind");
    VkImageViewCreateInfo shown = {
        VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, NULL, 0, made, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, {0},
        {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    check(vkCreateImageView(device, &shown, NULL, view), "view");
    return made;
}

static void open_device(void)
{
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL, "scene", 0, NULL, 0, VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, NULL, 0, &application, 0, NULL, 0, NULL};
    VkInstance instance;
    uint32_t count = 1;
    check(vkCreateInstance(&instance_info, NULL, &instance), "instance");
    VkResult listed = vkEnumeratePhysicalDevices(instance, &count, &physical);
    check(count ? VK_SUCCESS : VK_INCOMPLETE, "there is no device");
    (void)listed;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    printf("device: %s\n", properties.deviceName);
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
    VkPhysicalDeviceVulkan13Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    features.dynamicRendering = VK_TRUE;
    VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features, 0, 1, &queue, 0, NULL, 0, NULL, NULL};
    check(vkCreateDevice(physical, &info, NULL, &device), "device");
}

static VkPipeline compute_pipeline(const char *folder, VkPipelineLayout layout)
{
    VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = (VkPipelineShaderStageCreateInfo){
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_COMPUTE_BIT, module(folder, "comp"),
        "main", NULL};
    info.layout = layout;
    VkPipeline made;
    check(vkCreateComputePipelines(device, NULL, 1, &info, NULL, &made), "compute pipeline");
    return made;
}

static VkPipeline graphics_pipeline(const char *folder, VkPipelineLayout layout)
{
    VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    VkPipelineShaderStageCreateInfo stages[2] = {
        {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, module(folder, "vert"),
         "main", NULL},
        {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_FRAGMENT_BIT, module(folder, "frag"),
         "main", NULL}};
    VkPipelineVertexInputStateCreateInfo input = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkViewport viewport = {0, 0, EDGE, EDGE, 0, 1};
    VkRect2D scissor = {{0, 0}, {EDGE, EDGE}};
    VkPipelineViewportStateCreateInfo view = {
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.lineWidth = 1.0f;
    /* Of no effect without depths; drivers bias points and lines, too. */
    raster.depthBiasEnable = VK_TRUE;
    raster.depthBiasConstantFactor = 1.0f;
    VkPipelineMultisampleStateCreateInfo samples = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineColorBlendAttachmentState over = {
        VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
        VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, 15};
    VkPipelineColorBlendStateCreateInfo blend = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blend.attachmentCount = 1;
    blend.pAttachments = &over;
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &view;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pColorBlendState = &blend;
    info.layout = layout;
    VkPipeline made;
    check(vkCreateGraphicsPipelines(device, NULL, 1, &info, NULL, &made), "graphics pipeline");
    return made;
}

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    VkMemoryBarrier all = {
        VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    VkImageMemoryBarrier turn = {
        VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        from, to, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, image, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 1, &turn);
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    const char *folder = arguments[1];
    open_device();

    VkDeviceMemory pattern_memory, picture_memory;
    VkBuffer pattern = buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &pattern_memory);
    VkBuffer picture = buffer(BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &picture_memory);
    VkImageView view;
    VkImage image = target(&view);

    VkDescriptorSetLayoutBinding binding = {
        0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 1, &binding};
    VkDescriptorSetLayout set_layout;
    check(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout), "set layout");
    VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout, 1, &range};
    VkPipelineLayout layout;
    check(vkCreatePipelineLayout(device, &layout_info, NULL, &layout), "layout");
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
    VkDescriptorPool pool;
    check(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "pool");
    VkDescriptorSetAllocateInfo take = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1, &set_layout};
    VkDescriptorSet set;
    check(vkAllocateDescriptorSets(device, &take, &set), "set");
    VkDescriptorBufferInfo whole = {pattern, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);

    VkCommandPoolCreateInfo commands_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, 0, 0};
    VkCommandPool command_pool;
    check(vkCreateCommandPool(device, &commands_info, NULL, &command_pool), "command pool");
    VkCommandBufferAllocateInfo one = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, command_pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(device, &one, &commands), "command buffer");
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL};
    check(vkBeginCommandBuffer(commands, &begin), "begin");

    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute_pipeline(folder, layout));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 4, 1, 1);
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    attachment.imageView = view;
    attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.clearValue.color = (VkClearColorValue){{0.1f, 0.2f, 0.4f, 1.0f}};
    VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = (VkExtent2D){EDGE, EDGE};
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &attachment;
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, graphics_pipeline(folder, layout));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    const float place[4] = {-0.83f, 0.71f, 1.5f, -1.1f};
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof place, place);
    vkCmdDraw(commands, 3, 2, 0, 0);
    vkCmdEndRendering(commands);
    barrier(commands, image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VkBufferImageCopy copy = {0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {EDGE, EDGE, 1}};
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture, 1, &copy);
    barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    check(vkEndCommandBuffer(commands), "end");

    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, NULL, 0, NULL, NULL, 1, &commands, 0, NULL};
    check(vkQueueSubmit(queue, 1, &submit, NULL), "submit");
    check(vkQueueWaitIdle(queue), "wait");
    void *pixels;
    check(vkMapMemory(device, picture_memory, 0, BYTES, 0, &pixels), "map");
    FILE *file = fopen(arguments[2], "wb");
    if (!file || fwrite(pixels, 1, BYTES, file) != BYTES || fclose(file))
        check(VK_INCOMPLETE, arguments[2]);
    return 0;
}
