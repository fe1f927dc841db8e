// One frame of 64 MiB and a small one after it.
const text = "x".repeat(64 * 1024 * 1024);
process.stdout.write(`{"text":"${text}"}\n{"after":true}\n`);
process.stdin.resume();
