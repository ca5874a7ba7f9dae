import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { SmallHost } from './small-host.js';

/** The `suppression.*` events that the host's subscriber got, in its process. */
declare global {
  var told: { type: string; data: { email: string } }[] | undefined;
}

const RECORDING = {
  name: 'recording',
  types: ['suppression.added', 'suppression.removed'],
  handle: async (events: { event: { type: string; data: { email: string } } }[]) => {
    const told = events.map(({ event }) => ({ type: event.type, data: event.data }));
    globalThis.told = [...(globalThis.told ?? []), ...told];
  },
};

/** Starts a host with feedback and short retries, which records the events of its suppressions in `told`. */
export function startFeedbackHost(sink: SmtpSink): Promise<SmallHost> {
  return SmallHost.start(
    sink,
    { delivery: { retrySchedule: [100], sweepInterval: 500 }, secretKeys: ['s'.repeat(32)] },
    undefined,
    [],
    { feedback: {}, subscriptions: [{ ...RECORDING, handle: RECORDING.handle.toString() }] },
  );
}
