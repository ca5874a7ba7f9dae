import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, callerOf } from '../callers/caller.js';
import { noteEmailId } from '../http/email-id.js';
import type { LargeAnswers } from '../http/large-answers.js';
import type { MemoryShare } from '../work/request-memory.js';

/** A request during the call of one of our methods. */
export class CurrentRequest {
  /** The received body, if one is read. */
  body: object | undefined;
  /** @internal Memory of the body, and of everything made from it; undefined for a small one. */
  memory: MemoryShare | undefined;

  /** @internal Made for each request. */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {}

  get caller(): Caller {
    const caller = callerOf(this.request);
    if (!caller) throw new Error('A controller of nestjs-emails is mounted without CallerGuard.');
    return caller;
  }

  get url(): string {
    return this.request.url ?? '';
  }

  /** Resolves when memory for an answer of this size in bytes is reserved. @throws ApiError 503 */
  makeRoom(answers: LargeAnswers, bytes: number): Promise<void> {
    return answers.makeRoom(bytes, this.caller.accountId, this.response);
  }

  /** Notes the email that the request created, for the host's log. */
  noteEmailId(id: string): void {
    noteEmailId(this.request, id);
  }

  /** Marks the answer as that of an earlier request with the same idempotency key. */
  replayed(): void {
    this.response.setHeader('idempotent-replayed', 'true');
  }
}
