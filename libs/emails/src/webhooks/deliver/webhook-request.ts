import { signedHeaders } from '../../shared/keys/webhook-signature.js';
import { CallError } from '../net/call-error.js';
import type { CallAnswer, CallMessage } from '../net/endpoint-call.js';
import type { EndpointClient } from '../net/endpoint-client.js';
import type { SealedSecrets } from '../secrets/sealed-secrets.js';
import type { DueEvent, LeasedWebhook } from '../storage/delivery.repository.js';
import type { StoredMessage } from '../storage/webhook-messages.js';
import type { MessageReader } from './message-reader.js';

/** An answer, or why there is none. */
export type Outcome = CallAnswer | CallError;

/** A request that was made. */
export interface MadeRequest {
  outcome: Outcome;
  /** Milliseconds since 1970. */
  sentAt: number;
  /** Milliseconds. */
  duration: number;
}

export interface RequestDependencies {
  client: Pick<EndpointClient, 'post'>;
  messages: Pick<MessageReader, 'read'>;
  secrets: Pick<SealedSecrets, 'valid'>;
}

/**
 * One request to a webhook. Its content is read once there is a connection, and sent at once: before that the webhook
 * may be deleted or get another URL, and a person may be erased.
 */
export class WebhookRequest {
  /** Resolves when this request has read its content, or never will; then the next one may read. */
  readonly hasAsked: Promise<void>;
  private sayAsked = () => {};
  private sentAt = Date.now();
  /** Time spent waiting for PostgreSQL and for earlier requests. Milliseconds. */
  private waited = 0;

  /** @param before `hasAsked` of the previous request */
  constructor(
    private readonly webhook: LeasedWebhook,
    private readonly event: DueEvent,
    private readonly endpoint: string,
    private readonly before: Promise<void>,
    private readonly needs: RequestDependencies,
  ) {
    this.hasAsked = new Promise((resolve) => {
      this.sayAsked = resolve;
    });
  }

  /**
   * Resolves with undefined when nothing is left to send to that endpoint.
   *
   * @throws the error that kept the content from being read or signed; then nothing was sent
   */
  async make(): Promise<MadeRequest | undefined> {
    const began = performance.now();
    let failure: unknown;
    const message = () =>
      this.message().catch((error: unknown) => {
        failure = error;
        return undefined;
      });
    try {
      const outcome = await this.needs.client
        .post(this.endpoint, { owner: this.webhook.id, message })
        .catch((error: unknown) =>
          error instanceof CallError ? error : new CallError('invalid answer', { cause: error }),
        );
      if (failure !== undefined) throw failure;
      return outcome && { outcome, sentAt: this.sentAt, duration: performance.now() - began - this.waited };
    } finally {
      this.sayAsked();
    }
  }

  private async message(): Promise<CallMessage | undefined> {
    const asked = performance.now();
    await this.before;
    return new Promise<CallMessage | undefined>((resolve, reject) => {
      const send = (stored: StoredMessage) => {
        try {
          this.waited += performance.now() - asked;
          resolve(this.signed(stored));
        } catch (error) {
          reject(error);
        }
      };
      const { id: webhookId, fence } = this.webhook;
      const { seq, replay } = this.event;
      const read = this.needs.messages.read({ webhookId, fence, endpoint: this.endpoint, seq, replay, send });
      this.sayAsked();
      read.then((isSent) => isSent || resolve(undefined), reject);
    });
  }

  private signed({ payload: body, secrets }: StoredMessage): CallMessage {
    this.sentAt = Date.now();
    const message = { id: this.event.eventId, timestamp: Math.floor(this.sentAt / 1_000), body };
    const valid = this.needs.secrets.valid(this.webhook.id, secrets);
    return { headers: { 'content-type': 'application/json', ...signedHeaders(message, valid) }, body };
  }
}
