import { ApiProblem } from '../../../api/api-problem';
import type { Suppression } from '../../../api/types';
import { ORIGINS } from '../texts';
import type { FoundAddress, RefusedLine } from './read-addresses';

/** Addresses of one request. */
export interface Piece {
  origin: Suppression['origin'];
  addresses: readonly FoundAddress[];
}

/** The outcome of a piece. */
export interface AddedPiece {
  added: number;
  refused: RefusedLine[];
}

/** The API names the first address that it refuses. */
const REFUSED = /^`emails\[(\d+)\]`/;

/** Addresses of one origin each, in the order of the file. @param usual origin where the file has none */
export function piecesOf(found: readonly FoundAddress[], usual: Suppression['origin'], size: number): Piece[] {
  return Object.keys(ORIGINS).flatMap((name) => {
    const origin = name as Suppression['origin'];
    const addresses = found.filter((one) => (one.origin ?? usual) === origin);
    return Array.from({ length: Math.ceil(addresses.length / size) }, (_, at) => ({
      origin,
      addresses: addresses.slice(at * size, (at + 1) * size),
    }));
  });
}

/**
 * Adds a piece without the addresses that the API refuses, since it adds all of them or none.
 *
 * @param post `POST /suppressions/batch/add`
 * @throws what it throws for another reason: the piece can be added again
 */
export async function addPiece(
  { origin, addresses }: Piece,
  post: (body: { emails: string[]; origin: Suppression['origin'] }) => Promise<unknown>,
): Promise<AddedPiece> {
  const rest = [...addresses];
  const refused: RefusedLine[] = [];
  while (rest.length > 0) {
    try {
      await post({ emails: rest.map(({ email }) => email), origin });
      break;
    } catch (error) {
      const at = error instanceof ApiProblem && error.status === 422 ? REFUSED.exec(error.message)?.[1] : undefined;
      const [wrong] = at === undefined ? [] : rest.splice(Number(at), 1);
      if (!wrong) throw error;
      refused.push({ line: wrong.line, text: wrong.email, why: (error as ApiProblem).message.replace(REFUSED, 'It') });
    }
  }
  return { added: rest.length, refused };
}
