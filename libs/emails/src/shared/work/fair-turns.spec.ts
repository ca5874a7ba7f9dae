import { FairTurns, type Flow } from './fair-turns.js';

const now = (accountId: string): Flow => ({ accountId, isBulk: false });
const bulk = (accountId: string): Flow => ({ accountId, isBulk: true });

interface Waiting {
  turn: number;
  flow: Flow;
}

/** Serves waiting emails in the order of their turns, and says whose they were. */
function serve(turns: FairTurns, waiting: Waiting[], count: number): string[] {
  const served: string[] = [];
  for (let n = 0; n < count; n++) {
    waiting.sort((a, b) => a.turn - b.turn);
    const next = waiting.shift();
    if (!next) break;
    turns.serve(next.turn);
    served.push(`${next.flow.accountId}${next.flow.isBulk ? ' bulk' : ''}`);
  }
  return served;
}

function waitingOf(turns: FairTurns, flow: Flow, count: number, cost = 1): Waiting[] {
  return Array.from({ length: count }, () => ({ flow, turn: turns.take(flow, cost) }));
}

const share = (served: string[], who: string) => served.filter((name) => name === who).length / served.length;

describe('FairTurns', () => {
  it('serves one email of another account next, however many an account has', () => {
    const turns = new FairTurns();
    const waiting = waitingOf(turns, now('many'), 10_000);
    serve(turns, waiting, 5_000);
    waiting.push(...waitingOf(turns, now('few'), 3));
    expect(share(serve(turns, waiting, 6), 'few')).toBe(0.5);
  });

  it('divides turns evenly by cost, and by weight', () => {
    const turns = new FairTurns((accountId) => (accountId === 'heavy' ? 3 : 1));
    const waiting = [
      ...waitingOf(turns, now('small'), 4_000),
      ...waitingOf(turns, now('large'), 4_000, 4),
      ...waitingOf(turns, now('heavy'), 4_000),
    ];
    const served = serve(turns, waiting, 2_000);
    const ofSmall = share(served, 'small');
    expect(share(served, 'large') / ofSmall).toBeCloseTo(1 / 4, 1);
    expect(share(served, 'heavy') / ofSmall).toBeCloseTo(3, 1);
  });

  it.each([
    [1, 1],
    [1, 2],
    [1, 50],
    [10, 1],
    [10, 20],
  ])('with emails of %i accounts in the other lane, the bulk of %i gets an eighth', (nows, accounts) => {
    const turns = new FairTurns();
    const flowsOf = (count: number, flow: (accountId: string) => Flow, name: string) =>
      Array.from({ length: count }, (_, n) => flow(`${name}${n}`));
    const flows = [...flowsOf(nows, now, 'n'), ...flowsOf(accounts, bulk, 'b')];
    const waiting = flows.flatMap((flow) => waitingOf(turns, flow, 2));
    const served: string[] = [];
    for (let n = 0; n < 3_000; n++) {
      const [who = ''] = serve(turns, waiting, 1);
      served.push(who);
      const flow = flows.find(({ accountId }) => who.split(' ')[0] === accountId);
      if (flow) waiting.push(...waitingOf(turns, flow, 1));
    }
    const last = served.slice(1_000);
    const ofBulk = last.filter((name) => name.endsWith(' bulk')).length / last.length;
    expect(ofBulk).toBeGreaterThan(0.1);
    expect(ofBulk).toBeLessThanOrEqual(0.15);
  });

  it('gives bulk all turns while nothing else waits, and the next one to an email that comes', () => {
    const turns = new FairTurns();
    const waiting = waitingOf(turns, bulk('a'), 1_000);
    expect(share(serve(turns, waiting, 500), 'a bulk')).toBe(1);
    waiting.push(...waitingOf(turns, now('a'), 1));
    expect(serve(turns, waiting, 2)).toContain('a');
  });

  it('forgets accounts whose turns were served, and all when nobody waits', () => {
    const turns = new FairTurns();
    expect(turns.isEmpty).toBe(true);
    turns.take(now('a'), 1);
    turns.take(bulk('b'), 1);
    turns.serve(1);
    turns.forgetServed();
    expect(turns.isEmpty).toBe(false);
    turns.serve(7);
    turns.forgetServed();
    expect(turns.isEmpty).toBe(true);
    expect(turns.take(now('c'), 1)).toBe(7);
    turns.forget(now('c'));
    expect(turns.isEmpty).toBe(true);
    turns.take(now('c'), 1);
    turns.clear();
    expect(turns.isEmpty).toBe(true);
    expect(turns.take(now('c'), 1)).toBe(0);
  });
});
