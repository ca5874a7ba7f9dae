import type { Alarm } from 'nestjs-emails';
import type { Logger } from 'pino';
import type { AlarmChannel } from './alarm-channel.js';

/** Alarms in the log: a warning at the begin, an information at the end. */
export class AlarmLog implements AlarmChannel {
  readonly name = 'the log';

  constructor(private readonly logger: Pick<Logger, 'warn' | 'info'>) {}

  async send({ code, text, ...facts }: Alarm): Promise<void> {
    const fields = { alarm: code, ...facts };
    if (facts.until) this.logger.info(fields, `alarm ended: ${text}`);
    else this.logger.warn(fields, `alarm: ${text}`);
  }
}
