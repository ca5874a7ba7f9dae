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
  it('knows nothing before the first look for all, and after it was told to forget', () => {
    const due = new DueWebhooks();
    expect(due.isKnown).toBe(false);
    due.begin([row('a', '1')], 1);
    expect(due.isKnown).toBe(true);
    due.forget();
    expect([due.isKnown, due.dueFrom('a')]).toEqual([false, undefined]);
  });

  it('gives what is pending in pages, in the order of ids, and where each begins', () => {
    const due = new DueWebhooks();
    due.begin([row('c', '3'), row('a', '1'), row('b', '2')], 1);
    expect(due.valuesAfter('', 2)).toEqual(['1', ['a', 'b'], ['1', '2']]);
    expect(due.valuesAfter('b', 2)).toEqual(['1', ['c'], ['3']]);
  });

  it('asks no more for a webhook to which nothing is to be sent, and remembers where its log went on', () => {
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
