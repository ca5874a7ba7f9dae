/** Time of an ordinary machine for `work`: measured on two idle cores. Milliseconds. */
export const USUAL = 10;
const ROUNDS = 5;

/**
 * Current processor time of the same work relative to an ordinary machine; at least 1. A busy neighbour on the same
 * core, or a hypervisor, increases a program's processor time.
 * @param processorTime milliseconds that this thread used so far
 */
export function slowness(processorTime) {
  const text = makeText();
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = processorTime();
    work(text);
    return processorTime() - begun;
  }).sort((a, b) => a - b);
  return Math.max(1, times[Math.floor(ROUNDS / 2)] / USUAL);
}

/** Work of 10 ms on an ordinary machine: it reads, allocates and leaves garbage, like a host. */
export function work(text) {
  return JSON.parse(text).length;
}

/** Input of `work`. */
export function makeText() {
  return JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, name: `name ${index}`, list: [index, null, true] })),
  );
}
