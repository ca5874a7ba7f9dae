import type { Transaction } from '../rows/sql-transaction.js';

/** Identity of an alarm: one of the same identity is on at a time. */
export interface AlarmKey {
  /** `[a-z][a-z0-9_]*`, up to 50 characters, such as `webhook_disabled`. */
  code: string;
  /** The account that it is about. Default: none. */
  account?: string | undefined;
  /** Subject of the alarm: a hop, the id of a webhook, an operator. Up to 200 characters are kept. No address. */
  subject: string;
}

/** An alarm that is on. */
export interface NewAlarm extends AlarmKey {
  /** One English sentence without addresses and content. Up to 500 characters are kept. */
  text: string;
  /** Default: now. */
  since?: Date | undefined;
}

/**
 * Begins and ends alarms. The core has it; a feature may inject it by `ALARMS`. Any process may call it; one with workers
 * calls `onAlarm` after the commit.
 */
export interface Alarms {
  /** False without `onAlarm`: nothing needs to be observed, and the methods have no effect. */
  readonly isOn: boolean;

  /**
   * Begins an alarm. No effect while it is on. Call it last in a transaction: it waits for another transaction that begins
   * or ends the same alarm.
   *
   * @param transaction of the change. Default: a separate one. Also separate if it is of another data source than the
   * core's
   * @throws TypeError for a code of another form
   */
  raise(alarm: NewAlarm, transaction?: Transaction): Promise<void>;

  /** Ends an alarm. No effect while it is off. Otherwise like `raise`. */
  end(alarm: AlarmKey, transaction?: Transaction): Promise<void>;
}

/** Injection token of `Alarms`. Without the core there are none: inject it as optional. */
export const ALARMS = Symbol('nestjs-emails alarms');
