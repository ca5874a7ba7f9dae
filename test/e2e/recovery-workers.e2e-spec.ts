import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink, type Verdict } from '../support/servers/smtp/smtp-sink.js';

const DEFAULTS = { SMTP_HOP: 'final', SWEEP_INTERVAL: undefined };

let sink: SmtpSink;
let api: RunningHost;
let first: RunningHost;
let second: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  api = await startHost({ role: 'api', smtp: sink });
});

beforeEach(async () => {
  sink.reset();
  first = await startHost({ role: 'worker', beside: api, smtp: sink, env: DEFAULTS });
});

afterEach(() => Promise.all([first.kill(), second?.kill()]));

/** Lets the sink hold an email of the first worker at this point, and then starts the second worker. */
async function heldByTheFirst(
  hook: 'onData' | 'onMessage',
  verdict: () => Verdict | undefined | Promise<Verdict | undefined>,
) {
  let held = false;
  sink[hook] = () => {
    if (held) return undefined;
    held = true;
    return verdict();
  };
  const id = await post(api, 'to@to.test');
  await until(() => held);
  second = await startHost({ role: 'worker', beside: api, smtp: sink, env: DEFAULTS });
  return id;
}

describe('a second worker', () => {
  it('takes over within 15 seconds from a killed one, and records the abandoned attempt as unknown', async () => {
    const id = await heldByTheFirst('onData', () => 'hang');
    const killed = Date.now();
    await first.kill();
    await untilShown(api, id, 'delivered', { timeout: killed + second.recoveryLimit - Date.now() });
    expect(sink.messages).toHaveLength(1);
    expect((await attemptsOf(api, id)).map(({ unknown }) => unknown)).toEqual([true, false]);
  });

  it('takes over from a frozen one, whose late result then changes nothing', async () => {
    let goOn: (() => void) | undefined;
    const id = await heldByTheFirst(
      'onMessage',
      () =>
        new Promise((resolve) => {
          goOn = () => resolve(undefined);
        }),
    );
    const stopped = Date.now();
    process.kill(first.pid!, 'SIGSTOP');
    await untilShown(api, id, 'delivered', { timeout: stopped + second.recoveryLimit - Date.now() });
    const events = await eventTypes(api, id);
    const attempts = await attemptsOf(api, id);

    goOn?.();
    process.kill(first.pid!, 'SIGCONT');
    await sink.waitFor(2);
    expect(await first.stop()).toBe(0);
    expect(attempts.map(({ unknown }) => unknown)).toEqual([true, false]);
    expect(await attemptsOf(api, id)).toEqual(attempts);
    expect(await eventTypes(api, id)).toEqual(events);
    expect(events).toEqual(['queued', 'sent', 'delivered']);
  });
});
