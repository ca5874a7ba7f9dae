import type { HooksOptions } from './hooks/hooks.options.js';
import type { ListenerOptions } from './listener/listener.options.js';
import type { OnReputation } from './reputation/judge-reputation.js';
import type { ReturnPathOptions } from './return-path/return-path.options.js';

/** Options of `feedback`. */
export interface FeedbackOptions extends ReturnPathOptions {
  /**
   * Suppresses an address for 14 days once three emails to it in a row were given up within 14 days, because its server kept
   * on deferring them or its mailbox is full. A delivery in between starts the count again. Default: true.
   */
  softBounces?: boolean;

  /**
   * Guards the reputation of the installation: what follows when many emails of an account bounce or are complained
   * about. Rates are over its last 1,000 and its last 10,000 recipients, from 500 on. `warn` raises an alarm at 2 %
   * bounces or 0.1 % complaints; `hold` also holds the account's emails at 5 % or 0.3 %, until `EmailsService.release`.
   * A function gets the rates and decides. Default: `warn`.
   */
  onReputation?: OnReputation;

  /**
   * Accounts whose emails have to leave, such as that of alarms: no address is suppressed for them or because of them, and no
   * reputation is counted. Default: none.
   */
  exemptAccounts?: readonly string[];

  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them sign
   * return paths, and encrypt the key by which entries of erased people are found again: the first is in use, all are
   * accepted. Default: the core's secrets; without any, reports by mail find no email, and an erasure removes the entry.
   */
  secretKeys?: readonly string[];

  /**
   * Addresses that count as suppressed without an entry: an effect to try in development. It gets the address as the email
   * has it. Default: none.
   */
  isSuppressed?: (address: string) => boolean;

  /** The SMTP server for reports, in processes with workers. Needs the package `smtp-server`. Default: none. */
  listener?: ListenerOptions;

  /** Relays that report to `POST /hooks/:provider`. Default: none. */
  hooks?: HooksOptions;
}
