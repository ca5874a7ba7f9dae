import { RunTurns } from './run-turns.js';

const now = (accountId: string) => ({ accountId, isBulk: false });

describe('RunTurns', () => {
  it('lets an account begin at the turn that is being served', () => {
    const turns = new RunTurns();
    const many = Array.from({ length: 100 }, () => turns.enter(now('many'), 1));
    turns.serve(many[50] as number);
    turns.serve(many[49] as number);
    expect(turns.enter(now('few'), 1)).toBe(many[50]);
  });

  it('forgets turns that were not served as soon as the account has no email in progress', () => {
    const turns = new RunTurns();
    for (let n = 0; n < 1_000; n++) turns.enter(now('put off'), 1);
    for (let n = 0; n < 999; n++) turns.leave(now('put off'));
    expect(turns.enter(now('put off'), 1)).toBe(1_000);
    turns.leave(now('put off'));
    turns.leave(now('put off'));
    expect(turns.enter(now('put off'), 1)).toBe(0);
  });

  it('keeps the lanes of an account apart', () => {
    const turns = new RunTurns();
    for (let n = 0; n < 10; n++) turns.enter({ accountId: 'a', isBulk: true }, 1);
    expect(turns.enter(now('a'), 1)).toBe(0);
    expect(turns.enter({ accountId: 'a', isBulk: true }, 1)).toBe(70);
  });
});
