// Sends back every byte; ends with its stdin.
process.stdin.pipe(process.stdout);
