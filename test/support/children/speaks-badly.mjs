// Writes what is no JSON, and a frame whose characters are cut in the middle, before it waits for the end of its stdin.
const bytes = Buffer.from('not json\n{"text":"é€𝄞"}\r\n\n{"last":true}\n');
for (const byte of bytes) process.stdout.write(Buffer.of(byte));
process.stdin.resume();
