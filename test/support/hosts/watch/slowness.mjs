/** What an ordinary machine needs for `work`: measured on two cores with nothing else to do. Milliseconds. */
export const USUAL = 10;
const ROUNDS = 5;

/**
 * How many times as much processor time the same work takes here and now as on an ordinary machine; at least 1. A busy
 * neighbour on the same core, or a hypervisor, makes a program use more of it.
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

/** Work of 10 ms on an ordinary machine: it reads, allocates and leaves garbage, as a host does. */
export function work(text) {
  return JSON.parse(text).length;
}

/** What `work` reads. */
export function makeText() {
  return JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, name: `name ${index}`, list: [index, null, true] })),
  );
}
