import type { IncomingMessage } from 'node:http';

const EMAIL_ID = Symbol('nestjs-emails email id');

interface RequestWithEmailId extends IncomingMessage {
  [EMAIL_ID]?: string;
}

/**
 * The id of the email that a request created, for the host's log; undefined before its acceptance, and after a refusal.
 *
 * @example
 * ```ts
 * const line = `${request.method} ${request.url} became ${emailIdOf(request) ?? 'no email'}`;
 * ```
 */
export function emailIdOf(request: IncomingMessage): string | undefined {
  return (request as RequestWithEmailId)[EMAIL_ID];
}

export function noteEmailId(request: RequestWithEmailId, id: string): void {
  request[EMAIL_ID] = id;
}
