"""Folders that the shim dumped to one text: pack.py FOLDER > FILE. See README.md."""
import os, re, struct, sys

def words(data):
    data += bytes(-len(data) % 4)
    out, last, count = [], None, 0
    def flush():
        if count: out.append(f"{last:x}" + (f"*{count}" if count > 1 else ""))
    for word, in struct.iter_unpack("<I", data):
        if word == last: count += 1; continue
        flush(); last, count = word, 1
    flush()
    lines, line = [], ""
    for w in out:
        if len(line) + len(w) > 118: lines.append(line); line = ""
        line += (" " if line else "") + w
    return lines + [line] if line else lines

folder, known, out = sys.argv[1], {}, []
streams = sorted(n for n in os.listdir(folder) if n.endswith(".ib"))
# The last one only copies the picture to where the program reads it.
for name in streams[:-1]:
    used = []
    for line in open(f"{folder}/{name[:-3]}.txt"):
        m = re.match(r"reloc \d+ handle (\d+) .* size (\d+) .* content (\w+) len (\d+)", line)
        if not m: continue
        handle, size, content, length = m.groups()
        used.append(handle)
        if handle not in known: out.append(f"buffer {handle} {size}"); known[handle] = "0" * 16
        if known[handle] != content:
            known[handle] = content
            out.append(f"load {handle}")
            if int(length): out += words(open(f"{folder}/bo/{content}.bin", "rb").read())
    out.append("run " + " ".join(used))
    out += words(open(f"{folder}/{name}", "rb").read())
# The window's colours are the first buffer that a program gets.
print("\n".join([f"picture {min(map(int, known))}"] + out))
