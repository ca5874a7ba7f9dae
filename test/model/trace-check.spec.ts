import { checkTrace, checkTraces, type Scene, type TracedStep } from './trace-check.js';

const SCENE: Scene = { faults: {}, relays: [['x'], ['y']], attempts: 4 };
const [A, B] = [1, 2];

type Written = readonly [process: number, step: TracedStep['step'], fence: number, ...rest: unknown[]];

/** Steps that happen one after the other, 10 ms apart. Of a decided step the last value may be the time before it was asked. */
function traceOf(...steps: readonly Written[]): TracedStep[] {
  return steps.map(([process, step, fence, ...rest], index): TracedStep => {
    const at = 10 * (index + 1);
    const done = { process, since: at - 1, at, step, emailId: 'email', fence };
    const [first, second] = rest as [string | boolean | undefined, string | undefined];
    if (step === 'lease') return done;
    if (step === 'settlement') return { ...done, recorded: first !== 'not recorded' };
    const transport = first as string;
    if (step !== 'answer') return { ...done, transport };
    const [kind, stage] = (second ?? 'accepted').split(' at ') as ['refused', string?];
    return { ...done, transport, outcomes: [{ kind, ...(stage && { stage }) }] };
  });
}

const check = (scene: Partial<Scene>, ...steps: readonly Written[]) =>
  checkTrace(traceOf(...steps), { ...SCENE, ...scene });

/** A whole lease that ends so. */
const attempt = (process: number, fence: number, transport = 'x', answer = 'accepted'): Written[] => [
  [process, 'lease', fence],
  [process, 'attempt', fence, transport],
  [process, 'wire', fence, transport],
  [process, 'answer', fence, transport, answer],
];

describe('a trace is possible', () => {
  it.each<[string, Partial<Scene>, Written[]]>([
    ['of one attempt', {}, [...attempt(A, 1), [A, 'settlement', 1]]],
    [
      'of a refusal, and another attempt',
      { faults: { refusal: 1 } },
      [...attempt(A, 1, 'x', 'refused at dot'), [A, 'settlement', 1], ...attempt(B, 3), [B, 'settlement', 3]],
    ],
    [
      'of a move to the other relay',
      { faults: { away: 1 } },
      [
        ...attempt(A, 1, 'x', 'without verdict at connect'),
        [A, 'move', 1, 'x'],
        [A, 'settlement', 1],
        ...attempt(B, 3, 'y'),
        [B, 'settlement', 3],
      ],
    ],
    [
      'of a move without an attempt',
      { faults: { away: 1 } },
      [[A, 'lease', 1], [A, 'move', 1, 'x'], [A, 'settlement', 1], ...attempt(A, 3, 'y'), [A, 'settlement', 3]],
    ],
    [
      'of a stale connection',
      {},
      [...attempt(A, 1).slice(0, 3), [A, 'stale', 1, 'x'], ...attempt(A, 1).slice(2), [A, 'settlement', 1]],
    ],
    [
      'of two stale connections',
      { faults: { away: 1 } },
      [
        ...attempt(A, 1).slice(0, 3),
        [A, 'stale', 1, 'x'],
        [A, 'wire', 1, 'x'],
        [A, 'stale', 1, 'x'],
        [A, 'move', 1, 'x'],
        [A, 'settlement', 1],
        ...attempt(A, 3, 'y'),
        [A, 'settlement', 3],
      ],
    ],
    [
      'of a worker that freezes before it sends',
      { faults: { freeze: 1 } },
      [[A, 'lease', 1], ...attempt(B, 2), [B, 'settlement', 2], [A, 'settlement', 1, 'not recorded']],
    ],
    [
      'of a worker that freezes while it sends',
      { faults: { stall: 1 } },
      [
        ...attempt(A, 1).slice(0, 3),
        ...attempt(B, 2),
        [A, 'answer', 1, 'x'],
        [A, 'settlement', 1, 'not recorded'],
        [B, 'settlement', 2],
      ],
    ],
    [
      'of a worker that dies',
      { faults: { crash: 1 } },
      [...attempt(A, 1).slice(0, 3), ...attempt(B, 2), [B, 'settlement', 2]],
    ],
    [
      'of a worker that dies before its lease is seen',
      { faults: { crash: 1 } },
      [...attempt(B, 2), [B, 'settlement', 2]],
    ],
    [
      'of a worker that dies before the end of its lease is seen',
      { faults: { crash: 1, refusal: 1 } },
      [...attempt(A, 1, 'x', 'refused at rcpt'), ...attempt(B, 3), [B, 'settlement', 3]],
    ],
    [
      'of an email that is put off',
      { faults: { busy: 1 } },
      [[A, 'lease', 1], [A, 'settlement', 1], ...attempt(A, 3), [A, 'settlement', 3]],
    ],
  ])('%s', (_, scene, steps) => {
    expect(check(scene, ...steps)).toBeUndefined();
  });

  it('if another order of overlapping statements is: the end of a lease is seen after the next lease', () => {
    const trace = traceOf(
      ...attempt(A, 1, 'x', 'refused at dot'),
      ...attempt(B, 3).slice(0, 1),
      [A, 'settlement', 1],
      ...attempt(B, 3).slice(1),
    );
    const early = trace.map((step) => (step.step === 'settlement' ? { ...step, since: step.at - 15 } : step));
    const scene = { ...SCENE, faults: { refusal: 1 } };
    expect(checkTrace(early, scene)).toBeUndefined();
    expect(checkTrace(trace, scene)).toMatch(/^email: the model has no lease under fence 3 by process 2\./);
  });

  it('if a worker decides to move while its attempt is being withdrawn', () => {
    const trace = traceOf(
      ...attempt(A, 1).slice(0, 2),
      [A, 'move', 1, 'x'],
      [A, 'withdrawal', 1, 'x'],
      [A, 'settlement', 1],
      ...attempt(A, 3, 'y'),
      [A, 'settlement', 3],
    );
    const early = trace.map((step) => (step.step === 'withdrawal' ? { ...step, since: step.at - 15 } : step));
    const scene = { ...SCENE, faults: { away: 1 } };
    expect(checkTrace(early, scene)).toBeUndefined();
    expect(checkTrace(trace, scene)).toMatch(/^email: the model has no withdrawal under fence 1 at x by process 1\./);
  });
});

describe('a trace is not possible', () => {
  const dead = { faults: { crash: 1 } };
  const slow = { faults: { stall: 1, freeze: 1 } };

  it.each<[string, string, Partial<Scene>, Written[]]>([
    [
      'of two workers with a lease',
      'lease under fence 2 by process 2',
      {},
      [...attempt(A, 1).slice(0, 3), [B, 'lease', 2]],
    ],
    ['with a fence that was skipped', 'lease under fence 3 by process 1', {}, [[A, 'lease', 3]]],
    [
      'with an attempt under an old lease',
      'attempt under fence 1 at x by process 1',
      slow,
      [
        [A, 'lease', 1],
        [B, 'lease', 2],
        [A, 'attempt', 1, 'x'],
      ],
    ],
    [
      'with an end that is recorded under an old lease',
      'settlement (recorded) under fence 1 by process 1',
      slow,
      [...attempt(A, 1).slice(0, 3), ...attempt(B, 2).slice(0, 3), [A, 'answer', 1, 'x'], [A, 'settlement', 1]],
    ],
    [
      'that sends without an attempt',
      'wire under fence 1 at x by process 1',
      {},
      [
        [A, 'lease', 1],
        [A, 'wire', 1, 'x'],
      ],
    ],
    [
      'that sends to another relay than that of the attempt',
      'wire under fence 1 at y by process 1',
      {},
      [
        [A, 'lease', 1],
        [A, 'attempt', 1, 'x'],
        [A, 'wire', 1, 'y'],
      ],
    ],
    [
      'that sends twice without an answer',
      'wire under fence 1 at x by process 1',
      {},
      [...attempt(A, 1).slice(0, 3), [A, 'wire', 1, 'x']],
    ],
    [
      'that withdraws its attempt while it sends',
      'withdrawal under fence 1 at x by process 1',
      { faults: { wait: 1 } },
      [...attempt(A, 1).slice(0, 3), [A, 'withdrawal', 1, 'x']],
    ],
    [
      'that gets an answer over a stale connection',
      'answer "accepted" under fence 1 at x by process 1',
      {},
      [...attempt(A, 1).slice(0, 3), [A, 'stale', 1, 'x'], [A, 'answer', 1, 'x']],
    ],
    [
      'that ends before the answer',
      'settlement (recorded) under fence 1 by process 1',
      {},
      [...attempt(A, 1).slice(0, 3), [A, 'settlement', 1]],
    ],
    [
      'that ends before the answer under an old lease',
      'settlement (not recorded) under fence 1 by process 1',
      slow,
      [...attempt(A, 1).slice(0, 3), ...attempt(B, 2), [A, 'settlement', 1, 'not recorded'], [B, 'settlement', 2]],
    ],
    [
      'that moves before the answer',
      'move under fence 1 at x by process 1',
      { faults: { away: 1 } },
      [...attempt(A, 1).slice(0, 3), [A, 'move', 1, 'x']],
    ],
    [
      'with two answers to a message',
      'answer "accepted" under fence 1 at x by process 1',
      {},
      [...attempt(A, 1), [A, 'answer', 1, 'x']],
    ],
    [
      'that moves after the content, whatever the worker says of the refusal',
      'move under fence 1 at x by process 1',
      { faults: { refusal: 1, away: 1 } },
      [...attempt(A, 1, 'x', 'without verdict at dot'), [A, 'move', 1, 'x']],
    ],
    [
      'that moves to a relay that was tried',
      'attempt under fence 3 at x by process 1',
      { faults: { away: 1 } },
      [
        ...attempt(A, 1, 'x', 'without verdict at mail'),
        [A, 'move', 1, 'x'],
        [A, 'settlement', 1],
        ...attempt(A, 3, 'x'),
        [A, 'move', 1, 'y'],
      ],
    ],
    [
      'that moves where there is no other relay',
      'move under fence 1 at x by process 1',
      { faults: { away: 1 }, relays: [['x']] },
      [...attempt(A, 1, 'x', 'without verdict at connect'), [A, 'move', 1, 'x']],
    ],
    [
      'with a fault that was not injected',
      'answer "unknown" under fence 1 at x by process 1',
      {},
      attempt(A, 1, 'x', 'unknown'),
    ],
    [
      'of a worker that dies and goes on',
      'lease under fence 2 by process 2',
      dead,
      [...attempt(A, 1).slice(0, 3), [B, 'lease', 2], [A, 'answer', 1, 'x']],
    ],
    [
      'of an email that was sent, and is leased again',
      'lease under fence 3 by process 2',
      {},
      [...attempt(A, 1), [A, 'settlement', 1], [B, 'lease', 3]],
    ],
    [
      'of more attempts than the schedule has',
      'lease under fence 3 by process 1',
      { faults: { refusal: 2 }, attempts: 1 },
      [...attempt(A, 1, 'x', 'refused at rcpt'), [A, 'settlement', 1], [A, 'lease', 3]],
    ],
    [
      'of an end that is not recorded',
      'settlement (not recorded) under fence 1 by process 1',
      {},
      [...attempt(A, 1), [A, 'settlement', 1, 'not recorded']],
    ],
  ])('%s', (_, step, scene, steps) => {
    expect(check(scene, ...steps)).toContain(`email: the model has no ${step}. In the model `);
  });

  it.each<[string, Partial<Scene>, Written[]]>([
    ['after a lease', {}, [[A, 'lease', 1]]],
    ['after an attempt', {}, attempt(A, 1).slice(0, 2)],
    ['after it began to send', {}, attempt(A, 1).slice(0, 3)],
    [
      'after a refusal that is followed by another attempt',
      { faults: { refusal: 1 } },
      [...attempt(A, 1, 'x', 'refused at rcpt'), [A, 'settlement', 1]],
    ],
    ['after a worker that died', dead, attempt(A, 1).slice(0, 2)],
  ])('if it is whole, and ends %s', (_, scene, steps) => {
    expect(check(scene, ...steps)).toBeUndefined();
    expect(check({ ...scene, isOver: true }, ...steps)).toMatch(
      /^email: nothing follows\. In the model the email is pending/,
    );
    const fence = scene.faults?.refusal ? 3 : 2;
    const end: Written[] = [...attempt(B, fence), [B, 'settlement', fence]];
    if (scene.faults) expect(check({ ...scene, isOver: true }, ...steps, ...end)).toBeUndefined();
  });

  it('and its message has the state of the model, and the steps before', () => {
    expect(check({}, ...attempt(A, 1).slice(0, 3), [B, 'lease', 2])).toBe(
      'email: the model has no lease under fence 2 by process 2. In the model the worker has no lease, and the email pending with fence 1, lease "valid". Before it: lease under fence 1 by process 1, attempt under fence 1 at x by process 1, wire under fence 1 at x by process 1.',
    );
  });
});

describe('traces of several emails', () => {
  it('are followed one by one; those to several recipients are left out', () => {
    const good = traceOf(...attempt(A, 1));
    const bad = traceOf([A, 'lease', 3]).map((step) => ({ ...step, emailId: 'bad' }));
    const outcomes = [{ kind: 'accepted' as const }, { kind: 'refused' as const }];
    const many = traceOf(...attempt(A, 5)).map((step) => ({
      ...step,
      emailId: 'many',
      ...(step.outcomes && { outcomes }),
    }));
    expect(checkTraces([...good, ...bad, ...many], SCENE)).toEqual([expect.stringMatching(/^bad: /)]);
  });
});
