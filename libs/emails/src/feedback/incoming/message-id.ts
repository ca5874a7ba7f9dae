const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=@)/i;

/** A Message-ID without its angle brackets and the blanks around them. */
export function bareMessageId(messageId: string): string {
  return messageId.trim().replace(/^<(.*)>$/, '$1');
}

/** The email's id in a Message-ID that the library made: `id@domain`. */
export function emailIdIn(messageId: string): string | undefined {
  return UUID.exec(bareMessageId(messageId))?.[0].toLowerCase();
}
