import { createHash } from 'node:crypto';

/** A transport that may take an email. */
interface Weighted {
  name: string;
  weight: number;
}

/**
 * Orders the transports that may take an email. Each comes first for its share of all emails (weighted rendezvous hashing),
 * and always for the same ones, so that a message that was put off is tried again where it was. Those without a weight come
 * last, in the order of the list; without any weight the list is unchanged.
 */
export function inOrder<T extends Weighted>(routes: readonly T[], emailId: string): readonly T[] {
  if (!routes.some(({ weight }) => weight > 0)) return routes;
  const divided = routes
    .filter(({ weight }) => weight > 0)
    .map((route) => ({ route, score: -Math.log(partOf(emailId, route.name)) / route.weight }))
    .sort((one, other) => one.score - other.score)
    .map(({ route }) => route);
  return [...divided, ...routes.filter(({ weight }) => weight === 0)];
}

/** A number between 0 and 1, both excluded. */
function partOf(emailId: string, name: string): number {
  const digest = createHash('sha256').update(`${emailId} ${name}`).digest();
  return (digest.readUInt32BE(0) + 0.5) / 2 ** 32;
}
