import { type Exploration, explore } from './explore.js';
import { type Faults, firstState, isOver, MODEL, NO_FAULTS, type Rules, type State, stepsOf } from './lease-model.js';

const ended = ({ attempts }: State, ...ends: string[]) => attempts.filter(({ end }) => ends.includes(end)).length;

/** Promises that hold in every state, whatever happens. */
const PROMISES = {
  'a copy belongs to an attempt that was accepted, is unknown, or runs': (state: State) =>
    state.copies <= ended(state, 'accepted', 'unknown', 'open'),
  'an email is accepted once': (state: State) => ended(state, 'accepted') <= 1,
  'an email is given to each relay once in a go': ({ tried }: State) => tried.length < MODEL.relays,
  'one worker is past the fence': ({ fence, workers }: State) =>
    workers.filter((worker) => (worker.at === 'ready' || worker.at === 'answered') && worker.fence === fence).length <=
    1,
  'the attempt of another lease is not open': ({ attempts, fence }: State) =>
    attempts.every((attempt) => attempt.end !== 'open' || attempt.fence === fence),
  'a sent email is at the relay': ({ status, copies }: State) => status !== 'sent' || copies > 0,
  'a failed email is at the relay only by an unknown attempt': (state: State) =>
    state.status !== 'failed' || state.copies <= ended(state, 'unknown'),
};

/** Holds where no attempt can be unknown. */
const ONCE = { 'there is one copy': ({ copies }: State) => copies <= 1 };

function visitAll(
  faults: Partial<Faults>,
  rules: Partial<Rules> = {},
  further: typeof PROMISES | object = {},
): Exploration {
  const all = { ...MODEL, ...rules };
  return explore(firstState(faults), (state) => stepsOf(state, all), { ...PROMISES, ...further }, isOver);
}

const EVERYTHING: Faults = { ...NO_FAULTS, crash: 1, freeze: 1, stall: 1, jump: 1, lostReply: 1, refusal: 1 };
/** With more faults of each kind at once there are too many orders. */
const AWAY: Faults = { ...EVERYTHING, freeze: 0, refusal: 0, stall: 0, away: 2 };

describe('the lease', () => {
  it('keeps every promise in every order of two workers, with a fault of each kind', () => {
    const { states, violation } = visitAll(EVERYTHING);
    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(100_000);
  });

  it('keeps every promise while relays are away', () => {
    const { states, violation } = visitAll(AWAY);
    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(10_000);
  });

  it('keeps every promise while leases are renewed late, and emails are put off', () => {
    const faults = { ...NO_FAULTS, crash: 1, freeze: 1, stall: 1, away: 1, busy: 1, late: 1 };
    expect(visitAll(faults).violation).toBeUndefined();
  });

  it('keeps every promise while attempts are withdrawn and written again', () => {
    const { states, violation } = visitAll({ crash: 1, freeze: 1, jump: 1, lostReply: 1, wait: 2 });
    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(10_000);
  });

  it.each<[string, Partial<Faults>]>([
    ['refusals', { refusal: 3 }],
    ['relays that are away', { away: 3 }],
    ['a relay that is away, and a worker that freezes', { away: 2, freeze: 1 }],
    ['a worker that freezes before it sends, and thaws', { freeze: 1 }],
  ])('makes one copy with %s', (_, faults) => {
    expect(visitAll(faults, {}, ONCE).violation).toBeUndefined();
  });

  it('makes a second copy, of an unknown attempt, only after a death, a stall, a jump of the clock or a lost reply', () => {
    for (const fault of ['crash', 'stall', 'jump', 'lostReply'] as const) {
      expect(visitAll({ [fault]: 1 }, {}, ONCE).violation?.promise).toBe('there is one copy');
    }
  });
});

describe('without one of its rules', () => {
  const FOREIGN = 'the attempt of another lease is not open';
  const COPY = 'a copy belongs to an attempt that was accepted, is unknown, or runs';

  it.each<[keyof Rules, string]>([
    ['comparesFenceBeforeSending', FOREIGN],
    ['comparesFenceAtEnd', FOREIGN],
    ['writesAttemptFirst', COPY],
    ['closesLostAttempts', FOREIGN],
    ['recordsUnknown', COPY],
    ['movesOnlyWithoutVerdict', COPY],
    ['recovers', 'an end is in reach'],
  ])('%s, a promise is broken: %s', (rule, promise) => {
    expect(visitAll(EVERYTHING, { [rule]: false }).violation?.promise).toBe(promise);
  });

  it('countsRounds, an email is given to relays without end', () => {
    const { violation } = visitAll({ away: 2 }, { countsRounds: false });
    expect(violation?.promise).toBe('an email is given to each relay once in a go');
  });

  it.each<[keyof Rules, Partial<Faults>]>([
    ['checksOwnClock', { freeze: 1 }],
    ['renews', {}],
  ])('%s, a second copy is made', (rule, faults) => {
    expect(visitAll(faults, { [rule]: false }, ONCE).violation?.promise).toBe('there is one copy');
  });
});
