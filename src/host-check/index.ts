export { runHostCheck } from "./command.js";
