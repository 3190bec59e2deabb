export { default } from "./sums.js";
export * from "./sums.js";
