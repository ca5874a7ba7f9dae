/*
 * The rules of lease, fence, attempt, settlement and failover for one email to one recipient, as a model
 * whose states can all be visited. A step is what happens at once: one statement, or one exchange with the relay.
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

/** Size of the model. */
export const SIZE = {
  workers: 2,
  relays: 2,
  /** Attempts after which the email fails. */
  attempts: 3,
  /**
   * True if workers know of relays that are down or busy: they choose another one, or none. Otherwise relays are tried in their
   * order, and each is there until it was tried.
   */
  knowsRelays: false,
};

/** The rules and the size. */
export const MODEL = { ...SIZE, ...RULES };
export type Model = typeof MODEL;

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
  /** An email is put off before it is sent: there is no place for it, or one of its rows is locked. */
  busy: number;
  /** A lease is renewed after it ran out, and before another worker takes it. */
  late: number;
  /** A message waits for so long that its attempt is withdrawn, to be written again. */
  wait: number;
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
  /** The worker that makes it; undefined for a step of the clock. */
  worker?: number;
  does?: Act;
}

/** A step of a worker. */
export type Act =
  | 'leases'
  | 'gives the email up'
  | 'writes the attempt'
  | 'puts the email off'
  | 'withdraws the attempt'
  | Sending
  | 'records the end'
  | 'moves the email'
  | 'records a refusal'
  | 'waits for a relay'
  | 'renews a lease that ran out'
  | 'works for longer than its lease'
  | 'freezes'
  | 'stalls'
  | 'dies';

/** Exchanges with a relay. */
export type Sending =
  | 'sends, and is answered'
  | 'finds no relay'
  | 'is refused'
  | 'loses the connection after the final dot'
  | 'loses the reply to its message';

export const NO_FAULTS: Faults = {
  crash: 0,
  freeze: 0,
  stall: 0,
  jump: 0,
  lostReply: 0,
  refusal: 0,
  away: 0,
  busy: 0,
  late: 0,
  wait: 0,
};

const RESTING: Worker = { at: 'rest', fence: 0, holds: false, reply: undefined, relay: 0 };

export function firstState(faults: Partial<Faults> = {}, { workers } = SIZE): State {
  const left = { ...NO_FAULTS, ...faults };
  return {
    status: 'pending',
    fence: 0,
    lease: 'none',
    attempts: [],
    tried: [],
    copies: 0,
    workers: Array.from({ length: workers }, () => RESTING),
    left,
  };
}

/** Every step that may happen next. */
export function stepsOf(state: State, model: Model): Step[] {
  return [...timeSteps(state), ...state.workers.flatMap((_, at) => workerSteps(state, at, model))];
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

function workerSteps(state: State, at: number, model: Model): Step[] {
  const worker = state.workers[at] as Worker;
  const { left } = state;
  const steps: Step[] = [];
  const add = (does: Act, next: State) => steps.push({ name: `worker ${at + 1} ${does}`, next, worker: at, does });
  const become = (some: Partial<Worker>, from = state) => withWorker(from, at, { ...worker, ...some });
  const isUnsent = worker.at === 'leased' || worker.at === 'ready';
  const isLate = model.checksOwnClock && worker.at === 'ready' && !worker.holds;

  if (isBusy(worker)) {
    if (left.crash > 0) add('dies', died(state, at));
    const pause = worker.at === 'answered' ? 'stall' : 'freeze';
    if (worker.holds && left[pause] > 0) add(`${pause}s`, used(become({ holds: false }), pause));
    if (worker.holds && !model.renews) add('works for longer than its lease', become({ holds: false }));
    if (!worker.holds && model.renews && left.late > 0 && worker.fence === state.fence) {
      add('renews a lease that ran out', used(become({ holds: true }, { ...state, lease: 'valid' }), 'late'));
    }
  }
  if (isUnsent && !isLate) {
    if (left.busy > 0) add('puts the email off', used(ended(state, at, 'not sent', model), 'busy'));
    if (left.away > 0 && (worker.at === 'ready' || model.knowsRelays)) {
      add('finds no relay', used(become({ at: 'answered', reply: 'away' }), 'away'));
    }
  }
  switch (worker.at) {
    case 'rest':
      if (isDue(state, model))
        for (const relay of relaysFor(state, model)) add('leases', leased(state, at, relay, model));
      break;
    case 'leased':
      if (isUsedUp(state, model)) add('gives the email up', ended(state, at, 'unknown', model));
      else add('writes the attempt', opened(state, at, model));
      break;
    case 'ready':
      if (left.wait > 0 && isOpenUnder(state, worker.fence))
        add('withdraws the attempt', used(withdrawn(state, at), 'wait'));
      if (isLate) {
        add('puts the email off', ended(state, at, 'not sent', model));
        break;
      }
      add(
        'sends, and is answered',
        become({ at: 'answered', reply: 'accepted' }, { ...state, copies: state.copies + 1 }),
      );
      if (left.refusal > 0) add('is refused', used(become({ at: 'answered', reply: 'refused' }), 'refusal'));
      if (left.lostReply > 0) {
        const lost = used(become({ at: 'answered', reply: 'lost' }), 'lostReply');
        add('loses the connection after the final dot', lost);
        add('loses the reply to its message', { ...lost, copies: lost.copies + 1 });
      }
      break;
    case 'answered': {
      const end = endOf(worker, state, model);
      add(end === 'moved' ? 'moves the email' : 'records the end', ended(state, at, end, model));
      if (worker.reply === 'away' && model.knowsRelays) {
        add('waits for a relay', ended(state, at, 'not sent', model));
        if (end !== 'refused') add('records a refusal', ended(state, at, 'refused', model));
      }
    }
  }
  return steps;
}

/** The state after the worker's death. */
export function died(state: State, at: number): State {
  return used(withWorker(state, at, RESTING), 'crash');
}

/** The relays of which the next lease takes one. */
function relaysFor({ tried, left }: State, { relays, knowsRelays }: Model): number[] {
  const all = Array.from({ length: relays }, (_, relay) => relay);
  const untried = all.filter((relay) => !tried.includes(relay));
  // One that was tried is taken again only if no other is there.
  if (knowsRelays) return left.away > 0 || untried.length === 0 ? all : untried;
  return [untried[0] ?? 0];
}

function isBusy({ at }: Worker): boolean {
  return at !== 'rest';
}

function isDue({ status, lease }: State, model: Model): boolean {
  return status === 'pending' && (lease === 'none' || (lease === 'over' && model.recovers));
}

function isUsedUp({ attempts }: State, model: Model): boolean {
  return attempts.filter(({ end }) => end !== 'not sent' && end !== 'moved').length >= model.attempts;
}

/** LEASE */
function leased(state: State, at: number, relay: number, model: Model): State {
  const fence = state.fence + 1;
  const attempts = model.closesLostAttempts ? state.attempts.map(lostIfOpen) : state.attempts;
  const next: State = { ...state, fence, lease: 'valid', attempts };
  return withWorker(next, at, { at: 'leased', fence, holds: true, reply: undefined, relay });
}

/** OPEN_ATTEMPTS */
function opened(state: State, at: number, model: Model): State {
  const { fence, holds, relay } = state.workers[at] as Worker;
  if (model.comparesFenceBeforeSending && (fence !== state.fence || state.lease !== 'valid')) {
    return ended(state, at, 'not sent', model);
  }
  const attempts: Attempt[] = model.writesAttemptFirst
    ? [...state.attempts, { fence, end: 'open', relay }]
    : [...state.attempts];
  return withWorker({ ...state, attempts }, at, { at: 'ready', fence, holds, reply: undefined, relay });
}

/** WITHDRAW_ATTEMPTS */
function withdrawn(state: State, at: number): State {
  const worker = state.workers[at] as Worker;
  const attempts = state.attempts.filter(({ fence, end }) => fence !== worker.fence || end !== 'open');
  return withWorker({ ...state, attempts }, at, { ...worker, at: 'leased' });
}

function isOpenUnder({ attempts }: State, fence: number): boolean {
  return attempts.some((attempt) => attempt.fence === fence && attempt.end === 'open');
}

/** CLOSE */
function ended(state: State, at: number, end: Attempt['end'], model: Model): State {
  const { fence, relay } = state.workers[at] as Worker;
  const idle = withWorker(state, at, RESTING);
  if (model.comparesFenceAtEnd && fence !== state.fence) return idle;
  const isWritten = state.attempts.some((attempt) => attempt.fence === fence);
  const attempts = isWritten
    ? state.attempts.map((attempt) =>
        attempt.fence === fence && attempt.end === 'open' ? { ...attempt, end } : attempt,
      )
    : [...state.attempts, { fence, end, relay }];
  const tried = end === 'moved' ? [...state.tried, relay] : [];
  const next: State = { ...idle, attempts, tried, fence: state.fence + 1, lease: 'none' };
  if (end === 'accepted') return { ...next, status: 'sent' };
  return isUsedUp(next, model) ? { ...next, status: 'failed' } : next;
}

function endOf({ reply, relay }: Worker, { tried }: State, model: Model): Attempt['end'] {
  const hasOther = Array.from({ length: model.relays }, (_, one) => one).some(
    (one) => one !== relay && !tried.includes(one),
  );
  const mayMove = reply === 'away' || (reply === 'lost' && !model.movesOnlyWithoutVerdict);
  if (mayMove && (hasOther || !model.countsRounds)) return 'moved';
  if (reply !== 'lost') return reply === 'accepted' ? 'accepted' : 'refused';
  return model.recordsUnknown ? 'unknown' : 'refused';
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
