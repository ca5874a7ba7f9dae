/** A reply with its code, alone or behind the sentence of an email that was given up. */
const REPLY = /(?:^|Last reply: )([245]\d\d\b.*)$/s;

/** The server's reply in an event's reason. */
export function replyIn(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : REPLY.exec(reason)?.[1];
}
