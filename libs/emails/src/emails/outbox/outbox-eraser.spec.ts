import { OutboxEraser } from './outbox-eraser.js';

describe('OutboxEraser', () => {
  it('removes a person from waiting events, and keeps others unchanged', async () => {
    const rows: Record<string, unknown>[] = [
      {
        id: '1',
        email: 'Jane@person.test',
        first_name: 'Jane',
        last_name: 'Doe',
        properties: { nick: 'JD' },
        unsubscribed: false,
      },
      { id: '2', email: 'other@person.test', note: 'see jane@person.test', nested: { by: 'JANE@person.test' } },
    ];
    const rewritten: Record<string, unknown>[] = [];
    const eraser = new OutboxEraser({
      rewritePerson: async (person, limit, rewrite) => {
        expect([person.key, limit]).toEqual(['jane@person.test', 500]);
        rewritten.push(...rows.map(rewrite));
        return rows.length;
      },
      awaitHandovers: async () => {},
    });
    const person = { accountId: 'a', address: 'jane@person.test', before: new Date() };
    expect(await eraser.erase(person)).toBe(true);
    expect(rewritten).toEqual([
      { id: '1', email: 'erased@erased.invalid', first_name: '', last_name: '', unsubscribed: false },
      { id: '2', email: 'other@person.test' },
    ]);
  });
});
