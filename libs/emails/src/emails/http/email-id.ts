import type { IncomingMessage } from 'node:http';

const EMAIL_ID = Symbol('nestjs-emails email id');

interface RequestWithEmailId extends IncomingMessage {
  [EMAIL_ID]?: string;
}

/** The email that a request became, for the host's log; undefined before it is accepted, and when it is refused. */
export function emailIdOf(request: IncomingMessage): string | undefined {
  return (request as RequestWithEmailId)[EMAIL_ID];
}

export function noteEmailId(request: RequestWithEmailId, id: string): void {
  request[EMAIL_ID] = id;
}
