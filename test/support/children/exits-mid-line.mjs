// Writes two frames and a half, says something coloured on stderr, and exits with 0.
process.stderr.write("\u001b[31mERROR\u001b[0m out of ideas\n");
process.stdout.write('{"n":1}\n{"n":2}\n{"n":', () => process.exit(0));
