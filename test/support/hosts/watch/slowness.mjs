import { processorTime } from './processor-time.mjs';

/** Time of an ordinary machine for `work`: measured on two idle cores. Milliseconds. */
export const USUAL = 10;
const ROUNDS = 5;

/**
 * Current processor time of the same work relative to an ordinary machine; at least 1. A busy neighbour on the same
 * core, or a hypervisor, increases a program's processor time.
 */
export function slowness() {
  const text = makeText();
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = processorTime();
    work(text);
    return processorTime() - begun;
  }).sort((a, b) => a - b);
  return Math.max(1, times[Math.floor(ROUNDS / 2)] / USUAL);
}

/**
 * Work of 10 ms on an ordinary machine, half of it each: it reads, allocates and leaves garbage, and it compiles and begins
 * new code, which slows down more than old code does where the caches of a processor are shared.
 */
export function work(text) {
  return JSON.parse(text).length + newCode();
}

/** Input of `work`. */
export function makeText() {
  return JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, name: `name ${index}`, list: [index, null, true] })),
  );
}

const FUNCTIONS = Array.from({ length: 370 }, (_, index) => index);
let times = 0;

/** Compiles functions that nobody has compiled before, and calls each once. */
function newCode() {
  times += 1;
  const name = (index) => `code${times}_${index}`;
  const code = FUNCTIONS.map(
    (index) =>
      `function ${name(index)}(list) { return list.filter((one) => one % ${index + 2} > 0).map((one) => ({ one, text: \`\${one}\` })).length; }`,
  );
  const calls = FUNCTIONS.map((index) => `${name(index)}(list)`);
  return new Function('list', `${code.join('\n')}\nreturn ${calls.join(' + ')};`)([1, 6]);
}
