import { countNew, type EmailRow, withNewest } from './email-row';

const row = (id: string, last_event: EmailRow['last_event'] = 'queued'): EmailRow => ({
  id,
  to: ['a@b.test'],
  subject: id,
  created_at: '2026-11-23 05:00:00.000000+00',
  scheduled_at: null,
  last_event,
});
const page = (data: EmailRow[], has_more: boolean) => ({ object: 'list' as const, has_more, data });
const ids = (rows: readonly EmailRow[] | undefined) => rows?.map(({ id }) => id);

describe('rows of emails', () => {
  const rows = [row('3'), row('2'), row('1')];

  it('take new ones on top, and states as they are now', () => {
    const next = withNewest(rows, page([row('5'), row('4'), row('3', 'delivered')], true));
    expect(ids(next)).toEqual(['5', '4', '3', '2', '1']);
    expect(next?.[2]?.last_event).toBe('delivered');
    expect(countNew(rows, next ?? [])).toBe(2);
  });

  it('lose what is not among the newest any more', () => {
    expect(ids(withNewest(rows, page([row('3'), row('1')], true)))).toEqual(['3', '1']);
    expect(ids(withNewest(rows, page([row('2')], false)))).toEqual(['2']);
  });

  it('say when more came than the page has', () => {
    expect(withNewest(rows, page([row('9'), row('8')], true))).toBeUndefined();
  });

  it('begin with nothing', () => {
    expect(ids(withNewest([], page([row('1')], false)))).toEqual(['1']);
    expect(countNew([], rows)).toBe(3);
  });
});
