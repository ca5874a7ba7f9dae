import { createHash } from 'node:crypto';
import type { Alarm } from 'nestjs-emails';
import type { Logger } from 'pino';
import type { AlarmChannel } from './alarm-channel.js';

/** Alarms of which it is known which channels have them. */
const MAX_KNOWN = 1_000;

/**
 * Sends each alarm by every channel, none of which waits for another. When one fails, the library calls again, and only
 * those that failed get the alarm again; after a restart all of them.
 */
export class AlarmChannels {
  /** By alarms that some channel still lacks: the channels that have them. */
  private readonly sent = new Map<string, Set<AlarmChannel>>();

  constructor(
    private readonly channels: AlarmChannel[],
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  add(channel: AlarmChannel): void {
    this.channels.push(channel);
  }

  /** @throws Error when a channel lacks it */
  readonly onAlarm = async (alarm: Alarm): Promise<void> => {
    const id = idOf(alarm);
    const sent = this.sent.get(id) ?? new Set();
    const lacking = this.channels.filter((channel) => !sent.has(channel));
    const results = await Promise.all(lacking.map((channel) => this.attempt(channel, alarm, id, sent)));
    this.sent.delete(id);
    if (results.every((isSent) => isSent)) return;
    const [oldest] = this.sent.keys();
    if (oldest !== undefined && this.sent.size >= MAX_KNOWN) this.sent.delete(oldest);
    this.sent.set(id, sent);
    throw new Error('A channel lacks the alarm.');
  };

  private async attempt(channel: AlarmChannel, alarm: Alarm, id: string, sent: Set<AlarmChannel>): Promise<boolean> {
    try {
      await channel.send(alarm, id);
      sent.add(channel);
      return true;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it failed';
      this.logger.error({ alarm: alarm.code }, `An alarm did not reach ${channel.name}: ${why}.`);
      return false;
    }
  }
}

/** The same in every process, and each time for one begin or end. */
function idOf({ code, account = '', subject, since, until }: Alarm): string {
  const parts = [code, account, subject, since.toISOString(), until?.toISOString() ?? ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
