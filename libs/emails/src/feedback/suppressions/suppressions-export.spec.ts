import { type ExportedSuppression, suppressionsCsv } from './suppressions-export.js';

const entry = (seq: number, values: Partial<ExportedSuppression> = {}): ExportedSuppression => ({
  seq: `${seq}`,
  email: `${seq}@to.test`,
  origin: 'manual',
  reason: null,
  source_id: null,
  created_at: '2026-11-21 05:26:01.000000+00',
  expires_at: null,
  ...values,
});

async function piecesOf(entries: readonly ExportedSuppression[], limit: number) {
  const asked: (string | undefined)[] = [];
  const read = async (after?: string) => {
    asked.push(after);
    return entries.filter(({ seq }) => after === undefined || +seq < +after).slice(0, limit);
  };
  const pieces: string[] = [];
  for await (const piece of suppressionsCsv(await read(), read, limit)) pieces.push(piece);
  return { pieces, asked };
}

describe('the CSV file of suppressions', () => {
  it('has a header alone without entries', async () => {
    expect((await piecesOf([], 2)).pieces).toEqual(['email,origin,reason,source_id,created_at,expires_at\r\n']);
  });

  it('has each entry once, a page at a time', async () => {
    const { pieces, asked } = await piecesOf([entry(5), entry(4), entry(3), entry(2)], 2);
    expect(asked).toEqual([undefined, '4', '2']);
    expect(pieces).toHaveLength(3);
    const lines = pieces.join('').trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([
      '5@to.test',
      '4@to.test',
      '3@to.test',
      '2@to.test',
    ]);
  });

  it('keeps the words of a server in one cell, and no formula', async () => {
    const words = '550 5.1.1 "jane", unknown\r\nsee =1+1';
    const { pieces } = await piecesOf([entry(1, { email: '=1@to.test', reason: words, origin: 'bounce' })], 2);
    expect(pieces[0]?.split('expires_at\r\n')[1]).toBe(
      `'=1@to.test,bounce,"550 5.1.1 ""jane"", unknown\r\nsee =1+1",,2026-11-21 05:26:01.000000+00,\r\n`,
    );
  });
});
