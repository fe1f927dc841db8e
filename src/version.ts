/** This package's version, as `--version` and `initialize` report it; test/pack holds it to package.json. */
export const version = "0.1.0";
