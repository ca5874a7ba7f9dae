import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

const DAY = 86_400_000;
const YEAR = 365 * DAY;
/** The largest time that an id of version 7 can have: in the year 10889. */
const LAST = 2 ** 48 - 1;

/** Finished emails and one that waits: $1: now in milliseconds, $2: how long ago they were accepted, $3: their ids' clock is ahead by. */
const FILL = `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, html, headers, tags, created_at)
  SELECT uuidv7(($3::float8 - $2::float8) * interval '1 millisecond'), 'account', '<' || gen_random_uuid() || '@a.test>',
    'a@a.test', '{b@b.test}', '{}', '{}', '{}', 'Hello', 'Hello', '[]', '[]', now() - $2::float8 * interval '1 millisecond'
  FROM generate_series(1, $1::integer) RETURNING id
),
recorded AS (INSERT INTO nestjs_emails.events (email_id, type) SELECT id, 'sent' FROM made)
INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
SELECT id, 'sent', $4::timestamptz, '[]' FROM made RETURNING email_id AS id`;

interface Step {
  last: string;
  unfinished: string[];
}

type Stretch = { from: 'past' | 'ahead'; after: string } | { ids: readonly string[] };

interface Housekeeping {
  clearContents(stretch: Stretch, age: number, limit: number): Promise<Step | undefined>;
  deleteHistory(stretch: Stretch, age: number, limit: number): Promise<Step | undefined>;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The library's own statements, with ages that settings do not allow. */
describe('an age', () => {
  let database: TestDatabase;
  let housekeeping: Housekeeping;

  beforeAll(async () => {
    database = await freshDatabase();
    const file = '../../libs/emails/dist/emails/storage/keep/housekeeping.repository.js';
    const { HousekeepingRepository } = await import(new URL(file, import.meta.url).href);
    housekeeping = new HousekeepingRepository({ query: database.query });
  });

  beforeEach(() => database.query('TRUNCATE nestjs_emails.emails CASCADE'));

  const fill = async (count: number, { age = 0, ahead = 0, due = null as string | null } = {}) =>
    (await database.query<{ id: string }>(FILL, [count, age, ahead, due])).map(({ id }) => id);

  const kept = async () => {
    const [row] = await database.query(`
      SELECT (SELECT count(*)::integer FROM nestjs_emails.emails WHERE html IS NOT NULL) AS contents,
        (SELECT count(*)::integer FROM nestjs_emails.events) AS events`);
    return row;
  };

  /** Both walks to their end. */
  async function walk(age: number): Promise<void> {
    for (const from of ['past', 'ahead'] as const) {
      for (const clean of ['clearContents', 'deleteHistory'] as const) {
        let step: Step | undefined = { last: FIRST, unfinished: [] };
        while (step) step = await housekeeping[clean]({ from, after: step.last }, age, 2);
      }
    }
  }

  it.each([
    ['56 years', 56 * YEAR],
    ['57 years, which ends before 1970', 57 * YEAR],
    ['100 years', 36_500 * DAY],
    ['the largest time of an id', LAST],
    ['more than that', LAST + 1],
    ['the largest whole number', Number.MAX_SAFE_INTEGER],
    ['more than a bigint has', 2 ** 63],
    ['the largest number', Number.MAX_VALUE],
    ['for ever', Number.POSITIVE_INFINITY],
    ['no number', Number.NaN],
  ])('of %s keeps recent rows', async (_, age) => {
    await fill(5, { age: DAY });
    await walk(age);
    expect(await kept()).toEqual({ contents: 5, events: 5 });
  });

  it.each([0, 0.4, 1, -1, -YEAR, Number.NEGATIVE_INFINITY])('of %p deletes all finished emails', async (age) => {
    await fill(5, { age: 1_000 });
    await fill(1, { age: 1_000, due: '9999-12-31' });
    await walk(age);
    expect(await kept()).toEqual({ contents: 1, events: 1 });
  });

  it('is that of the acceptance, by the clock of PostgreSQL, for ids of any clock', async () => {
    await fill(3, { age: DAY, ahead: -60 * YEAR });
    await fill(3, { age: DAY, ahead: 60 * YEAR });
    await walk(2 * DAY);
    expect(await kept()).toEqual({ contents: 6, events: 6 });
    await walk(DAY / 2);
    expect(await kept()).toEqual({ contents: 0, events: 0 });
  });

  it('applies again to skipped rows, and only those are read', async () => {
    await fill(3, { age: DAY });
    const [waiting] = await fill(1, { age: DAY, due: '9999-12-31' });
    const step = await housekeeping.clearContents({ from: 'past', after: FIRST }, DAY / 2, 10);
    expect(step).toEqual({ last: expect.any(String), unfinished: [waiting] });
    const again = { ids: [waiting as string] };
    expect(await housekeeping.clearContents(again, DAY / 2, 10)).toEqual({ last: waiting, unfinished: [waiting] });
    await database.query('UPDATE nestjs_emails.deliveries SET due_at = NULL');
    expect(await housekeeping.clearContents(again, DAY / 2, 10)).toEqual({ last: waiting, unfinished: [] });
    expect(await kept()).toEqual({ contents: 0, events: 4 });
    await database.query('TRUNCATE nestjs_emails.emails CASCADE');
    expect(await housekeeping.clearContents(again, DAY / 2, 10)).toBeUndefined();
  });
});
