/** Options of `webhooks`. Durations are in milliseconds. */
export interface WebhooksOptions {
  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them
   * encrypt the signing secrets: the first encrypts, all decrypt, so a new secret goes in front of the old. Default:
   * the core's secrets; without any, no webhook can be created.
   */
  secretKeys?: readonly string[];

  /**
   * CIDR blocks outside the public internet that endpoints may be in, such as `10.0.0.0/8`; `http` is allowed only
   * there. Default: none.
   */
  allowPrivate?: readonly string[];

  /** Gets attempts and disabled endpoints, for metrics and alarms. Default: none. */
  observer?: WebhooksObserver;

  /** Delays between attempts. Default: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h; the last failure ends the delivery. */
  retrySchedule?: readonly number[];

  /** Timeout of one request. Default: 15,000. */
  timeout?: number;

  /** Retention of sent events, for display and replay. Default: 30 days. */
  logRetention?: number;
}

/** An attempt that ended. */
export interface ObservedWebhookAttempt {
  webhookId: string;
  outcome: 'success' | 'failure';
  /** Status of the answer; 0 without one. */
  status: number;
  /** Duration of the request. Milliseconds. */
  duration: number;
  /** Time since the event. Milliseconds. */
  age: number;
}

/** An endpoint that gets no more events. */
export interface ObservedWebhookEnd {
  webhookId: string;
  /** `gone`: it answered 410. `failing`: it has only failed for days. */
  reason: 'gone' | 'failing';
}

/** Called after work is done. Its errors are logged and have no other effect. */
export interface WebhooksObserver {
  /** A request was answered, or ended without an answer. */
  attempted?(attempt: ObservedWebhookAttempt): void;
  /** An endpoint gets no more events, and its account may want to know. */
  disabled?(end: ObservedWebhookEnd): void;
}
