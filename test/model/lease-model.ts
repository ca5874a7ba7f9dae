/*
 * The rules of lease, fence, attempt, settlement and failover for one email to one recipient, with two workers and two relays,
 * as a model whose states can all be visited. A step is what happens at once: one statement, or one exchange with the relay.
 */

/** Rules of the delivery. Each can be taken out, to show which promise it keeps. */
export const RULES = {
  /** An attempt is written only under a lease that holds. */
  comparesFenceBeforeSending: true,
  /** The end of a lease is written only by its holder. */
  comparesFenceAtEnd: true,
  /** The attempt is written before the first byte goes to the relay. */
  writesAttemptFirst: true,
  /** A lease records attempts that earlier workers left open as unknown. */
  closesLostAttempts: true,
  /** A connection that is lost after the final dot ends the attempt as unknown. */
  recordsUnknown: true,
  /** Nothing is sent once the lease may have run out by the worker's own clock. */
  checksOwnClock: true,
  /** An email moves to the other relay at once only if nothing was sent for certain. */
  movesOnlyWithoutVerdict: true,
  /** When each relay was asked in one go, the attempt counts. */
  countsRounds: true,
  /** A worker renews its lease while it works. */
  renews: true,
  /** An email whose lease ran out is found again. */
  recovers: true,
};
export type Rules = typeof RULES;

/** Faults that may happen, each this often. */
export interface Faults {
  /** A worker dies. */
  crash: number;
  /** A worker stands still before it sends, until its lease has run out by its own clock. */
  freeze: number;
  /** The same after it sent, before it records the end. */
  stall: number;
  /** The database's clock jumps ahead: a lease runs out that its worker still holds by its own clock. */
  jump: number;
  /** The connection is lost after the final dot. */
  lostReply: number;
  /** A relay refuses for a time. */
  refusal: number;
  /** A relay is not there, or refuses before it hears of the recipient. */
  away: number;
}

interface Attempt {
  fence: number;
  end: 'open' | 'accepted' | 'refused' | 'unknown' | 'not sent' | 'moved';
  /** The relay that it was made at. */
  relay: number;
}

interface Worker {
  at: 'rest' | 'leased' | 'ready' | 'answered';
  fence: number;
  /** False once its lease may have run out by its own clock. */
  holds: boolean;
  reply: 'accepted' | 'refused' | 'lost' | 'away' | undefined;
  relay: number;
}

export interface State {
  status: 'pending' | 'sent' | 'failed';
  fence: number;
  lease: 'none' | 'valid' | 'over';
  attempts: readonly Attempt[];
  /** Relays that the email was given to in this go, and that said nothing about it. */
  tried: readonly number[];
  /** Messages that the relays took. */
  copies: number;
  workers: readonly Worker[];
  left: Faults;
}

export interface Step {
  name: string;
  next: State;
}

export const NO_FAULTS: Faults = { crash: 0, freeze: 0, stall: 0, jump: 0, lostReply: 0, refusal: 0, away: 0 };

/** The relays, in the order in which they are tried. */
export const RELAYS = [0, 1];

/** Attempts after which the email fails. */
const MOST = 3;
const RESTING: Worker = { at: 'rest', fence: 0, holds: false, reply: undefined, relay: 0 };

export function firstState(faults: Partial<Faults> = {}): State {
  const left = { ...NO_FAULTS, ...faults };
  return {
    status: 'pending',
    fence: 0,
    lease: 'none',
    attempts: [],
    tried: [],
    copies: 0,
    workers: [RESTING, RESTING],
    left,
  };
}

/** Every step that may happen next. */
export function stepsOf(state: State, rules: Rules): Step[] {
  return [...timeSteps(state), ...state.workers.flatMap((_, at) => workerSteps(state, at, rules))];
}

/** True when nothing is left to do. */
export function isOver({ status, workers }: State): boolean {
  return status !== 'pending' && workers.every(({ at }) => at === 'rest');
}

/** A lease runs out when its worker no longer holds it by its own clock, whose end is no later; or by a jump. */
function timeSteps(state: State): Step[] {
  if (state.lease !== 'valid') return [];
  const over: State = { ...state, lease: 'over' };
  const isHeld = state.workers.some((worker) => isBusy(worker) && worker.fence === state.fence && worker.holds);
  const steps: Step[] = isHeld ? [] : [{ name: 'the lease runs out', next: over }];
  if (isHeld && state.left.jump > 0) steps.push({ name: 'the clock jumps', next: used(over, 'jump') });
  return steps;
}

function workerSteps(state: State, at: number, rules: Rules): Step[] {
  const worker = state.workers[at] as Worker;
  const steps: Step[] = [];
  const add = (name: string, next: State) => steps.push({ name: `worker ${at + 1} ${name}`, next });
  const become = (some: Partial<Worker>, from = state) => withWorker(from, at, { ...worker, ...some });

  if (isBusy(worker)) {
    if (state.left.crash > 0) add('dies', used(become(RESTING), 'crash'));
    const pause = worker.at === 'answered' ? 'stall' : 'freeze';
    if (worker.holds && state.left[pause] > 0) add(`${pause}s`, used(become({ holds: false }), pause));
    if (worker.holds && !rules.renews) add('works for longer than its lease', become({ holds: false }));
  }
  switch (worker.at) {
    case 'rest':
      if (isDue(state, rules)) add('leases', leased(state, at, rules));
      break;
    case 'leased':
      if (isUsedUp(state)) add('gives the email up', ended(state, at, 'unknown', rules));
      else add('writes the attempt', opened(state, at, rules));
      break;
    case 'ready':
      if (rules.checksOwnClock && !worker.holds) {
        add('puts the email off', ended(state, at, 'not sent', rules));
        break;
      }
      add(
        'sends, and is answered',
        become({ at: 'answered', reply: 'accepted' }, { ...state, copies: state.copies + 1 }),
      );
      if (state.left.away > 0) add('finds no relay', used(become({ at: 'answered', reply: 'away' }), 'away'));
      if (state.left.refusal > 0) add('is refused', used(become({ at: 'answered', reply: 'refused' }), 'refusal'));
      if (state.left.lostReply > 0) {
        const lost = used(become({ at: 'answered', reply: 'lost' }), 'lostReply');
        add('loses the connection after the final dot', lost);
        add('loses the reply to its message', { ...lost, copies: lost.copies + 1 });
      }
      break;
    case 'answered':
      add('records the end', ended(state, at, endOf(worker, state, rules), rules));
  }
  return steps;
}

function isBusy({ at }: Worker): boolean {
  return at !== 'rest';
}

function isDue({ status, lease }: State, rules: Rules): boolean {
  return status === 'pending' && (lease === 'none' || (lease === 'over' && rules.recovers));
}

function isUsedUp({ attempts }: State): boolean {
  return attempts.filter(({ end }) => end !== 'not sent' && end !== 'moved').length >= MOST;
}

/** LEASE */
function leased(state: State, at: number, rules: Rules): State {
  const fence = state.fence + 1;
  const attempts = rules.closesLostAttempts ? state.attempts.map(lostIfOpen) : state.attempts;
  const next: State = { ...state, fence, lease: 'valid', attempts };
  const relay = RELAYS.find((one) => !state.tried.includes(one)) ?? 0;
  return withWorker(next, at, { at: 'leased', fence, holds: true, reply: undefined, relay });
}

/** OPEN_ATTEMPTS */
function opened(state: State, at: number, rules: Rules): State {
  const { fence, holds, relay } = state.workers[at] as Worker;
  if (rules.comparesFenceBeforeSending && (fence !== state.fence || state.lease !== 'valid')) {
    return ended(state, at, 'not sent', rules);
  }
  const attempts: Attempt[] = rules.writesAttemptFirst
    ? [...state.attempts, { fence, end: 'open', relay }]
    : [...state.attempts];
  return withWorker({ ...state, attempts }, at, { at: 'ready', fence, holds, reply: undefined, relay });
}

/** CLOSE */
function ended(state: State, at: number, end: Attempt['end'], rules: Rules): State {
  const { fence, relay } = state.workers[at] as Worker;
  const idle = withWorker(state, at, RESTING);
  if (rules.comparesFenceAtEnd && fence !== state.fence) return idle;
  const isWritten = state.attempts.some((attempt) => attempt.fence === fence);
  const attempts = isWritten
    ? state.attempts.map((attempt) =>
        attempt.fence === fence && attempt.end === 'open' ? { ...attempt, end } : attempt,
      )
    : [...state.attempts, { fence, end, relay }];
  const tried = end === 'moved' ? [...state.tried, relay] : end === 'not sent' ? state.tried : [];
  const next: State = { ...idle, attempts, tried, fence: state.fence + 1, lease: 'none' };
  if (end === 'accepted') return { ...next, status: 'sent' };
  return isUsedUp(next) ? { ...next, status: 'failed' } : next;
}

function endOf({ reply, relay }: Worker, { tried }: State, rules: Rules): Attempt['end'] {
  const hasOther = RELAYS.some((one) => one !== relay && !tried.includes(one));
  const mayMove = reply === 'away' || (reply === 'lost' && !rules.movesOnlyWithoutVerdict);
  if (mayMove && (hasOther || !rules.countsRounds)) return 'moved';
  if (reply !== 'lost') return reply === 'accepted' ? 'accepted' : 'refused';
  return rules.recordsUnknown ? 'unknown' : 'refused';
}

function lostIfOpen(attempt: Attempt): Attempt {
  return attempt.end === 'open' ? { ...attempt, end: 'unknown' } : attempt;
}

function withWorker(state: State, at: number, worker: Worker): State {
  return { ...state, workers: state.workers.with(at, worker) };
}

function used(state: State, fault: keyof Faults): State {
  return { ...state, left: { ...state.left, [fault]: state.left[fault] - 1 } };
}
