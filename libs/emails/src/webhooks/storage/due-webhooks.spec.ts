import { DueWebhooks, type WorkRow } from './due-webhooks.js';

const row = (id: string, dueFrom: string | null, newest = '1'): WorkRow => ({
  id,
  dueFrom,
  newest,
  isDue: false,
  mayHaveMore: false,
  hasReplays: false,
});

describe('DueWebhooks', () => {
  it('knows nothing before the first full poll, and after `forget`', () => {
    const due = new DueWebhooks();
    expect(due.isKnown).toBe(false);
    due.begin([row('a', '1')], 1);
    expect(due.isKnown).toBe(true);
    due.forget();
    expect([due.isKnown, due.dueFrom('a')]).toEqual([false, undefined]);
  });

  it('returns pending webhooks in pages, in the order of ids, with the start of each', () => {
    const due = new DueWebhooks();
    due.begin([row('c', '3'), row('a', '1'), row('b', '2')], 1);
    expect(due.valuesAfter('', 2)).toEqual(['1', ['a', 'b'], ['1', '2']]);
    expect(due.valuesAfter('b', 2)).toEqual(['1', ['c'], ['3']]);
  });

  it('stops asking for a webhook without pending events, and remembers the position in its log', () => {
    const due = new DueWebhooks();
    due.begin([row('a', '1'), row('b', '2')], 1);
    due.note([row('a', null), row('b', '4')]);
    due.moveTo('7');
    expect(due.valuesAfter('', 9)).toEqual(['7', ['b'], ['4']]);
    expect([due.dueFrom('a'), due.dueFrom('b')]).toEqual(['1', '4']);
    due.begin([row('a', '5', '8')], 1);
    expect(due.valuesAfter('', 9)).toEqual(['8', ['a'], ['5']]);
  });
});
