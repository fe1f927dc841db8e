// Sends every TLS connection of this process to a stand-in on loopback, whose certificate is then trusted beside none
// other. Names and their check stay as they are. Only code that runs in the process can do this: a test's own, or, for
// an agent in a process of its own, `node --import` with the port in STAND_IN_SERVICE.
import { readFileSync } from "node:fs";
import process from "node:process";
import tls from "node:tls";

const { connect } = tls;

/** The last call counts; what it returns takes it back. With `trusted` false the stand-in is as strange as any server. */
export function redirectTls(port, trusted = true) {
  const before = tls.connect;
  const ca = trusted ? { ca: readFileSync(new URL("./certificate.pem", import.meta.url)) } : {};
  tls.connect = (options, ...rest) => connect({ ...options, host: "127.0.0.1", port, ...ca }, ...rest);
  return () => {
    tls.connect = before;
  };
}

if (process.env.STAND_IN_SERVICE !== undefined) redirectTls(Number(process.env.STAND_IN_SERVICE));
