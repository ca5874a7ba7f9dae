import type { Caller } from '../callers/caller.js';
import type { Transaction } from '../rows/sql-transaction.js';

/** A change that a caller asked for. */
export interface Action {
  /** `noun.verb`, each of lower-case letters and `_`, such as `email.cancel`. */
  action: string;
  /** Ids of the changed objects, without addresses. The first 100 are kept. */
  ids: readonly string[];
  /** How many were changed. Default: the number of `ids`. */
  count?: number | undefined;
}

/** Records who changed what, for `GET /actions`. The core has it; a feature may inject it by `ACTION_LOG`. */
export interface ActionLog {
  /**
   * Records a change. Call it last in the transaction of the change: at the commit, the record takes its place in the
   * account's list.
   *
   * @param caller of the request; the record belongs to its account
   * @param transaction of the change. Default: a separate one. Also separate if it is of another data source than the
   * core's
   */
  record(caller: Caller, action: Action, transaction?: Transaction): Promise<void>;
}

/** Injection token of the `ActionLog`. Without the core there is none: inject it as optional. */
export const ACTION_LOG = Symbol('nestjs-emails action log');
