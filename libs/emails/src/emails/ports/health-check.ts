/** A condition that emails need in order to be sent as they should, checked by `EmailsHealthIndicator`. */
export interface HealthCheck {
  /** Name in the message, such as `webhooks`. */
  readonly name: string;

  /** Rejects with an error whose message an operator may read. Time limit: three seconds. */
  check(): Promise<void>;
}
