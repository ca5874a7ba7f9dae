import { readFileSync } from 'node:fs';

/** A documented payload of a relay, byte for byte: the part of its file after the first blank line. */
export function relayPayload(name: string): Buffer {
  const bytes = readFileSync(new URL(`../../../../../test/feedback/relays/${name}.txt`, import.meta.url));
  return bytes.subarray(bytes.indexOf('\n\n') + 2);
}
