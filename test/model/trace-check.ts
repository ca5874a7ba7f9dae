import { readFileSync } from 'node:fs';
import {
  type Act,
  died,
  type Faults,
  firstState,
  MODEL,
  type Model,
  type Sending,
  type State,
  type Step,
  stepsOf,
} from './lease-model.js';

/** An outcome, as the probe publishes it. */
export interface TracedOutcome {
  kind: 'accepted' | 'refused' | 'unknown' | 'without verdict';
  stage?: string;
}

/** A step of a real worker: a line of `record-trace.mjs`. It happened between `since` and `at`. Milliseconds of one clock. */
export interface TracedStep {
  process: number;
  since: number;
  at: number;
  step: 'lease' | 'attempt' | 'withdrawal' | 'wire' | 'stale' | 'answer' | 'move' | 'settlement';
  emailId: string;
  fence: number;
  transport?: string;
  outcomes?: readonly TracedOutcome[];
  recorded?: boolean;
}

export interface Scene {
  /** The faults that may have happened to each email, each this often. */
  faults: Partial<Faults>;
  /** For each relay the names of its transport: processes may reach it by different ones. */
  relays: readonly (readonly string[])[];
  /** Attempts after which an email fails. */
  attempts: number;
  /** True if the traces are whole: each email was sent, or failed. */
  isOver?: boolean;
}

/** One way in which the model can follow the trace up to some point. */
interface Following {
  state: State;
  /** The worker of each process that has a lease. */
  workers: Readonly<Record<number, number>>;
  /** Processes whose emails are to move to another relay. */
  moving: readonly number[];
  /** Processes that began to send over a stale connection. */
  onStale: readonly number[];
  /** Processes whose message has an answer in the model that no probe has shown yet. */
  unanswered: readonly number[];
  /** Number of steps of each process that were followed. */
  followed: Readonly<Record<number, number>>;
}

/** Difference between the clocks of two processes. Milliseconds. */
const SKEW = 3;
/** Stages at which the relay has heard of the content: after a refusal there the email never moves. */
const OF_CONTENT: readonly (string | undefined)[] = ['data', 'dot'];
/** Steps that no probe shows, apart from those of a worker that dies. */
const UNSEEN: readonly (Act | undefined)[] = [undefined, 'freezes', 'stalls', 'finds no relay'];

const REPLIES: Readonly<Record<TracedOutcome['kind'], string>> = {
  accepted: 'accepted',
  refused: 'refused',
  unknown: 'lost',
  'without verdict': 'away',
};

const SENDINGS: readonly (Act | undefined)[] = [
  'sends, and is answered',
  'finds no relay',
  'is refused',
  'loses the connection after the final dot',
  'loses the reply to its message',
] satisfies Sending[];

export function readTrace(file: string): TracedStep[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  // A process that was killed may have left a part of a line.
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as TracedStep);
}

/**
 * Follows the trace of each email in the model. Emails to several recipients are left out: the model has one.
 *
 * @returns for each email that left the model: the first step that the model has not, and why
 */
export function checkTraces(steps: readonly TracedStep[], scene: Scene): string[] {
  const traces = [...groupedBy(steps, 'emailId').values()];
  const isToOne = (trace: readonly TracedStep[]) => trace.every(({ outcomes = [] }) => outcomes.length <= 1);
  return traces.filter(isToOne).flatMap((trace) => checkTrace(trace, scene) ?? []);
}

/** The same for one email to one recipient. Undefined: the model can make these steps. */
export function checkTrace(trace: readonly TracedStep[], scene: Scene): string | undefined {
  return new TraceCheck(trace, scene).run();
}

/*
 * Workers write their steps in their own order, and a statement takes effect at some time between its call and its answer. So
 * the trace is a partial order, and the check goes through all its orders at once: after n steps it has each state in which the
 * model may be after some n steps that may have been the first.
 */
class TraceCheck {
  private readonly traces: ReadonlyMap<number, readonly TracedStep[]>;
  private readonly model: Model;

  constructor(
    private readonly trace: readonly TracedStep[],
    private readonly scene: Scene,
  ) {
    // A worker decides other things while a withdrawal is under way, and makes all else one after the other.
    const begun = [...trace].sort((one, other) => one.since - other.since);
    this.traces = groupedBy(begun, 'process');
    // A process that died may have had a lease that no probe shows.
    const workers = this.traces.size + 1;
    this.model = { ...MODEL, workers, relays: scene.relays.length, attempts: scene.attempts, knowsRelays: true };
  }

  run(): string | undefined {
    const state = firstState({ wait: Number.POSITIVE_INFINITY, ...this.scene.faults }, this.model);
    let followings = this.withUnseen([{ state, workers: {}, moving: [], onStale: [], unanswered: [], followed: {} }]);
    for (let count = 0; count < this.trace.length; count++) {
      const next = this.withUnseen(followings.flatMap((following) => this.nextOf(following)));
      if (next.length === 0) return this.violation(followings);
      followings = next;
    }
    const isForgotten = this.scene.isOver && followings.every(({ state }) => state.status === 'pending');
    return isForgotten ? this.unfinished(followings) : undefined;
  }

  /** The states after each step that may have been the next one. */
  private nextOf(following: Following): Following[] {
    return this.candidates(following).flatMap((step) => this.follow(following, step));
  }

  /** The first of each process, unless it began after another one had ended. */
  private candidates({ followed }: Following): TracedStep[] {
    const first = [...this.traces].flatMap(([process, steps]) => steps[followed[process] ?? 0] ?? []);
    const end = Math.min(...first.map(({ at }) => at));
    return first.filter(({ since }) => since <= end + SKEW).sort((a, b) => a.at - b.at);
  }

  private follow(following: Following, step: TracedStep): Following[] {
    const { process } = step;
    const followed = { ...following.followed, [process]: (following.followed[process] ?? 0) + 1 };
    return this.matches({ ...following, followed }, step);
  }

  private matches(following: Following, step: TracedStep): Following[] {
    const { state, workers, moving, onStale, unanswered } = following;
    const { process } = step;
    const at = workers[process];
    const to = (next: State): Following => ({ ...following, state: next });
    if (step.step === 'lease') return at === undefined ? this.leases(following, step) : [];
    const worker = at === undefined ? undefined : state.workers[at];
    if (at === undefined || !worker || worker.fence !== step.fence) return [];
    const steps = stepsOf(state, this.model).filter((one) => one.worker === at);
    const isAt = step.transport !== undefined && this.scene.relays[worker.relay]?.includes(step.transport);
    if (onStale.includes(process))
      return step.step === 'stale' && isAt ? [{ ...following, onStale: without(onStale, process) }] : [];
    if (unanswered.includes(process) !== (step.step === 'answer')) return [];
    switch (step.step) {
      case 'attempt':
        return steps
          .filter(({ does, next }) => does === 'writes the attempt' && next.workers[at]?.at === 'ready' && isAt)
          .map(({ next }) => to(next));
      case 'withdrawal':
        return steps.filter(({ does }) => does === 'withdraws the attempt').map(({ next }) => to(next));
      case 'wire': {
        const sent = worker.at === 'ready' && isAt ? steps.filter(({ does }) => SENDINGS.includes(does)) : [];
        return sent.some(isAnswered)
          ? [
              { ...following, onStale: [...onStale, process] },
              ...sent.map(({ next }) => ({ ...to(next), unanswered: [...unanswered, process] })),
            ]
          : [];
      }
      case 'stale':
        return [];
      case 'answer':
        return worker.at === 'answered' && isAt && replyIn(step) === worker.reply
          ? [{ ...following, unanswered: without(unanswered, process) }]
          : [];
      case 'move':
        return isAt && (worker.fence === state.fence ? steps.some(isMove) : worker.reply === 'away')
          ? [{ ...following, moving: [...moving, process] }]
          : [];
      case 'settlement':
        return steps
          .filter(({ next }) => next.workers[at]?.at === 'rest' && next.fence > state.fence === step.recorded)
          .filter((one) => one.does !== 'dies' && (!step.recorded || isMove(one) === moving.includes(process)))
          .map(({ next }) => withoutProcess({ ...following, state: next }, process));
    }
  }

  private leases(following: Following, { process, fence }: TracedStep): Following[] {
    const at = this.resting(following);
    return stepsOf(following.state, this.model)
      .filter(({ worker, does, next }) => worker === at && does === 'leases' && next.fence === fence)
      .map(({ next, worker = 0 }) => ({
        ...following,
        state: next,
        workers: { ...following.workers, [process]: worker },
      }));
  }

  /** The first worker that rests: they are all alike. */
  private resting({ state }: Following): number {
    return state.workers.findIndex(({ at }) => at === 'rest');
  }

  /** With all states that can be reached by steps that no probe shows. */
  private withUnseen(followings: readonly Following[]): Following[] {
    const known = new Map<string, Following>();
    const all = [...followings];
    for (const following of all) {
      const key = JSON.stringify(following);
      if (known.has(key)) continue;
      known.set(key, following);
      all.push(...this.unseen(following));
    }
    return [...known.values()];
  }

  private unseen(following: Following): Following[] {
    const { state, workers } = following;
    const resting = this.resting(following);
    return stepsOf(state, this.model).flatMap((step) => {
      const { worker, does, next } = step;
      if (worker === undefined) return [{ ...following, state: next }];
      const process = Object.keys(workers)
        .map(Number)
        .find((one) => workers[one] === worker);
      const isDead = process === undefined ? worker === resting : this.isOver(process, following);
      return [
        ...(UNSEEN.includes(does) ? [{ ...following, state: next }] : []),
        ...(isDead ? this.deaths(following, step, process) : []),
      ];
    });
  }

  /** A worker that dies may have made one more step: its probe comes after it. */
  private deaths(following: Following, { worker = 0, does, next }: Step, process: number | undefined): Following[] {
    if (following.state.left.crash === 0) return [];
    const state = does === 'dies' ? next : died(next, worker);
    return [process === undefined ? { ...following, state } : withoutProcess({ ...following, state }, process)];
  }

  private isOver(process: number, { followed }: Following): boolean {
    return (followed[process] ?? 0) === this.traces.get(process)?.length;
  }

  /** @param followings the states after the last step that the model has */
  private violation(followings: readonly Following[]): string {
    const [[step, following] = []] = followings
      .map((one) => [this.candidates(one)[0] as TracedStep, one] as const)
      .sort(([one], [other]) => other.at - one.at);
    if (!step || !following) return `${this.trace[0]?.emailId}: there are no such steps.`;
    const isBefore = ({ process, at }: TracedStep, index: number) =>
      process === step.process ? this.isFollowed(following, process, index) : at <= step.at;
    const before = [...this.traces.values()]
      .flatMap((steps) => steps.filter(isBefore))
      .sort((one, other) => one.at - other.at)
      .map(inWords);
    const stuck = followings.filter((one) => this.candidates(one)[0] === step);
    const states = [...new Set(stuck.map((one) => this.describe(one, step)))];
    const model = `In the model ${states.slice(0, 3).join('; or ')}`;
    return `${step.emailId}: the model has no ${inWords(step)}. ${model}. Before it: ${before.join(', ') || 'nothing'}.`;
  }

  private unfinished(followings: readonly Following[]): string {
    const states = [
      ...new Set(followings.map(({ state: { fence, lease } }) => `with fence ${fence}, lease "${lease}"`)),
    ];
    const steps = this.trace.map(inWords).join(', ');
    return `${this.trace[0]?.emailId}: nothing follows. In the model the email is pending ${states.slice(0, 3).join('; or ')}. Its steps: ${steps}.`;
  }

  private isFollowed({ followed }: Following, process: number, index: number): boolean {
    return index < (followed[process] ?? 0);
  }

  private describe({ state, workers }: Following, { process }: TracedStep): string {
    const { status, fence, lease } = state;
    const worker = state.workers[workers[process] ?? -1];
    const own = worker ? `the worker is "${worker.at}" under fence ${worker.fence}` : 'the worker has no lease';
    const reply = worker?.reply ? `, reply "${worker.reply}"` : '';
    const holds = worker && !worker.holds ? ', late by its own clock' : '';
    return `${own}${reply}${holds}, and the email ${status} with fence ${fence}, lease "${lease}"`;
  }
}

function groupedBy<Key extends 'process' | 'emailId'>(steps: readonly TracedStep[], name: Key) {
  const groups = new Map<TracedStep[Key], TracedStep[]>();
  for (const step of steps) groups.set(step[name], [...(groups.get(step[name]) ?? []), step]);
  return groups;
}

function isAnswered({ does }: Step): boolean {
  return does === 'sends, and is answered';
}

function isMove({ does }: Step): boolean {
  return does === 'moves the email';
}

/** The model's reply. The worker's own judgement does not count where the relay has heard of the content. */
function replyIn({ outcomes = [] }: TracedStep): string | undefined {
  const [outcome] = outcomes;
  if (!outcome || outcomes.length > 1) return undefined;
  const { kind, stage } = outcome;
  return kind === 'without verdict' && OF_CONTENT.includes(stage) ? 'refused' : REPLIES[kind];
}

function withoutProcess(following: Following, process: number): Following {
  const { [process]: _, ...workers } = following.workers;
  const { moving, onStale, unanswered } = following;
  const others = (processes: readonly number[]) => without(processes, process);
  return { ...following, workers, moving: others(moving), onStale: others(onStale), unanswered: others(unanswered) };
}

function without(processes: readonly number[], process: number): number[] {
  return processes.filter((one) => one !== process);
}

function inWords({ step, fence, process, transport, outcomes, recorded }: TracedStep): string {
  const answer = outcomes?.map(({ kind, stage }) => (stage ? `${kind} at ${stage}` : kind)).join(', ');
  const ending = recorded === undefined ? '' : recorded ? ' (recorded)' : ' (not recorded)';
  return `${step}${answer ? ` "${answer}"` : ''}${ending} under fence ${fence}${transport ? ` at ${transport}` : ''} by process ${process}`;
}
