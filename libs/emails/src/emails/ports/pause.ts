/**
 * The mail that a pause keeps: of one account, of one topic or from one template; without any of them, all mail. With
 * `transport`, that mail through this transport alone.
 */
export interface PauseTarget {
  /** Id of an account. */
  account?: string | undefined;
  /** Id of a topic, a uuid. */
  topic?: string | undefined;
  /** Id of a template, as its `TemplateSource` gives it. */
  template?: string | undefined;
  /** Name of a transport. Default: all of them. */
  transport?: string | undefined;
}

/** A pause to begin. */
export interface NewPause extends PauseTarget {
  /** Shown as `held` of its emails; cut to 500 characters. */
  reason: string;
}

/** Mail that is accepted and waits. */
export interface Pause extends NewPause {
  since: Date;
}

/** An account whose emails are accepted and wait. */
export interface AccountHold {
  accountId: string;
  since: Date;
  reason: string;
}

/** The kind of mail that a pause keeps. A pause of some mail through one transport counts as `transports`. */
export type PausedPart = 'everything' | 'accounts' | 'topics' | 'templates' | 'transports';
