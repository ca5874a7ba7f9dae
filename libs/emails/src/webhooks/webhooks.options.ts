import type { AccountResolver } from '../shared/callers/account-resolver.js';
import type { FeatureExtras } from '../shared/features/feature.options.js';

/** What `forRoot` and the factory of `forRootAsync` return. Durations are in milliseconds. */
export interface WebhooksOptions {
  /** Which account a request stands for. Required where the module has routes. */
  accountResolver?: AccountResolver;

  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process: what is derived from them
   * encrypts the signing secrets. The first encrypts, all are known: a new one is put in front of the old. Default: none, and
   * no webhook can be made.
   */
  secretKeys?: readonly string[];

  /**
   * CIDR blocks outside the public internet that endpoints may lie in, such as `10.0.0.0/8`; only there may they be `http`.
   * Default: none.
   */
  allowPrivate?: readonly string[];

  /** Told of attempts and of endpoints that are disabled, for metrics and alarms. Default: none. */
  observer?: WebhooksObserver;

  /** Waiting times between attempts. Default: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h, then it is given up. */
  retrySchedule?: readonly number[];

  /** How long one request may take. Default: 15,000. */
  timeout?: number;

  /** How long what was sent is kept, to be looked at and to be sent again. Default: 30 days. */
  logRetention?: number;
}

/** Decided when the module is composed, before any provider exists. */
export type WebhooksExtras = FeatureExtras;

/** An attempt that ended. */
export interface ObservedWebhookAttempt {
  webhookId: string;
  outcome: 'success' | 'failure';
  /** Of the answer; 0 where there was none. */
  status: number;
  /** Of the request. Milliseconds. */
  duration: number;
  /** Since the event. Milliseconds. */
  age: number;
}

/** An endpoint that is told nothing any more. */
export interface ObservedWebhookEnd {
  webhookId: string;
  /** `gone`: it answered 410. `failing`: it has done nothing but fail for days. */
  reason: 'gone' | 'failing';
}

/** Told of work as it is done. What it throws is logged and harms nobody. */
export interface WebhooksObserver {
  /** A request was answered, or ended without an answer. */
  attempted?(attempt: ObservedWebhookAttempt): void;
  /** An endpoint is told nothing any more, and its account may want to know. */
  disabled?(end: ObservedWebhookEnd): void;
}
