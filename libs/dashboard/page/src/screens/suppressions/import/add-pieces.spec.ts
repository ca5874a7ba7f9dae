import { ApiProblem } from '../../../api/api-problem';
import { addPiece, piecesOf } from './add-pieces';
import type { FoundAddress } from './read-addresses';

const address = (line: number, email = `${line}@to.test`, origin?: FoundAddress['origin']): FoundAddress => ({
  line,
  email,
  origin,
});
const lines = (count: number) => Array.from({ length: count }, (_, at) => address(at + 1));

/** Refuses the first address of a body that has a blank, as the API does. */
const post = (sent: string[][]) => async (body: { emails: string[] }) => {
  const at = body.emails.findIndex((email) => email.includes(' '));
  if (at !== -1) throw new ApiProblem(422, 'validation_error', `\`emails[${at}]\` must be one address.`);
  sent.push(body.emails);
};

describe('pieces of a file', () => {
  it('have up to 100 addresses of one origin', () => {
    const found = [...lines(250), address(251, 'a@b.test', 'complaint')];
    const pieces = piecesOf(found, 'bounce', 100);
    expect(pieces.map(({ origin, addresses }) => [origin, addresses.length])).toEqual([
      ['bounce', 100],
      ['bounce', 100],
      ['bounce', 50],
      ['complaint', 1],
    ]);
    expect(pieces.flatMap(({ addresses }) => addresses)).toEqual(found);
    expect(piecesOf([], 'manual', 100)).toEqual([]);
  });
});

describe('adding a piece', () => {
  it('leaves out what the API refuses, with the number of its line', async () => {
    const sent: string[][] = [];
    const addresses = [address(1), address(2, 'a b@to.test'), address(3), address(7, 'c d@to.test')];
    expect(await addPiece({ origin: 'manual', addresses }, post(sent))).toEqual({
      added: 2,
      refused: [
        { line: 2, text: 'a b@to.test', why: 'It must be one address.' },
        { line: 7, text: 'c d@to.test', why: 'It must be one address.' },
      ],
    });
    expect(sent).toEqual([['1@to.test', '3@to.test']]);
  });

  it('asks for nothing once all are refused', async () => {
    const sent: string[][] = [];
    const refused = await addPiece({ origin: 'manual', addresses: [address(1, 'a b@to.test')] }, post(sent));
    expect(refused).toMatchObject({ added: 0, refused: [{ line: 1 }] });
    expect(sent).toEqual([]);
  });

  it.each([
    new ApiProblem(503, 'service_unavailable', 'later'),
    new ApiProblem(422, 'validation_error', '`origin` must be one of: …'),
    new ApiProblem(422, 'validation_error', '`emails[9]` must be one address.'),
    new TypeError('no'),
  ])('fails with any other answer: %s', async (error) => {
    const failing = () => Promise.reject(error);
    await expect(addPiece({ origin: 'manual', addresses: lines(2) }, failing)).rejects.toBe(error);
  });
});
