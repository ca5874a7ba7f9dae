import { countNew, type EmailRow, openRows, withNewest, withOpen } from './email-row';

const row = (id: string, last_event: EmailRow['last_event'] = 'queued'): EmailRow => ({
  id,
  message_id: `<${id}@b.test>`,
  from: 'you@b.test',
  to: ['a@b.test'],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: id,
  created_at: '2026-11-23 05:00:00.000000+00',
  scheduled_at: null,
  last_event,
  tags: [],
  topic_id: null,
  attachments: 0,
});
const NOW = Date.parse('2026-11-23T05:30:00Z');
const page = (data: EmailRow[], has_more: boolean) => ({ object: 'list' as const, has_more, data });
const ids = (rows: readonly EmailRow[] | undefined) => rows?.map(({ id }) => id);

describe('rows of emails', () => {
  const rows = [row('3'), row('2'), row('1')];

  it('add new ones on top, and update states', () => {
    const next = withNewest(rows, page([row('5'), row('4'), row('3', 'delivered')], true));
    expect(ids(next)).toEqual(['5', '4', '3', '2', '1']);
    expect(next?.[2]?.last_event).toBe('delivered');
    expect(countNew(rows, next ?? [])).toBe(2);
  });

  it('lose rows that are missing from the newest page', () => {
    expect(ids(withNewest(rows, page([row('3'), row('1')], true)))).toEqual(['3', '1']);
    expect(ids(withNewest(rows, page([row('2')], false)))).toEqual(['2']);
  });

  it('report when more arrived than the page has', () => {
    expect(withNewest(rows, page([row('9'), row('8')], true))).toBeUndefined();
  });

  it('start empty', () => {
    expect(ids(withNewest([], page([row('1')], false)))).toEqual(['1']);
    expect(countNew([], rows)).toBe(3);
  });

  describe('further down', () => {
    const many = ['9', '8', '7', '6', '5', '4', '3'].map((id) =>
      row(id, ['7', '5'].includes(id) ? 'delivery_delayed' : 'delivered'),
    );
    const part = { after: '8', ids: ['7', '6', '5'] };

    it('are refreshed from the first to the last one that may change', () => {
      expect(openRows(many, { first: 1, last: 6 }, NOW)).toEqual(part);
      expect(openRows(many, { first: 3, last: 5 }, NOW)).toEqual({ after: '6', ids: ['5'] });
      expect(openRows(many.slice(2), { first: 0, last: 2 }, NOW)).toEqual({ after: undefined, ids: ['7', '6', '5'] });
    });

    it('are not refreshed if final or out of sight', () => {
      expect(openRows(many, { first: 0, last: 1 }, NOW)).toBeUndefined();
      expect(openRows(many, { first: 5, last: 6 }, NOW)).toBeUndefined();
      expect(openRows([], { first: 0, last: 0 }, NOW)).toBeUndefined();
    });

    it('wait for reports about a sent email for an hour', () => {
      const sent = [row('2', 'sent')];
      expect(openRows(sent, { first: 0, last: 0 }, NOW)?.ids).toEqual(['2']);
      expect(openRows(sent, { first: 0, last: 0 }, NOW + 3_600_000)).toBeUndefined();
    });

    it('are refreshed within one page', () => {
      const rows = Array.from({ length: 300 }, (_, index) => row(String(index)));
      expect(openRows(rows, { first: 0, last: 299 }, NOW)?.ids).toHaveLength(100);
    });

    it('stay when new rows push them out of the answer', () => {
      const atTop = { after: undefined, ids: ['9', '8', '7'] };
      const next = withOpen(many, atTop, page([row('10'), row('9'), row('8')], true));
      expect(ids(next)).toEqual(ids(many));
    });

    it('take the answered states, and disappear when they are missing', () => {
      const next = withOpen(many, part, page([row('7', 'delivered'), row('5'), row('4', 'bounced')], true));
      expect(ids(next)).toEqual(['9', '8', '7', '5', '4', '3']);
      expect(next.map(({ last_event }) => last_event)).toEqual([
        ...['delivered', 'delivered', 'delivered', 'queued', 'bounced', 'delivered'],
      ]);
    });

    it('stay when the answer is cut short', () => {
      expect(ids(withOpen(many, part, page([row('7')], true)))).toEqual(ids(many));
      expect(ids(withOpen(many, part, page([row('7')], false)))).toEqual(['9', '8', '7', '4', '3']);
    });
  });
});
