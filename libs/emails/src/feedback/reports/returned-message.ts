/**
 * Lines after which a program quotes the returned message in its notice. Two or more signs make a separator, so that a
 * sentence is none.
 */
const SEPARATORS: readonly RegExp[] = [
  // Exim, qmail, sendmail, MDaemon, Gmail, Exchange and many others.
  /^[ \t|>]*[-=_*#+~]{2,} ?[^\n]{0,60}\b(?:original|returned|unsent|undelivered|undeliverable|rejected|failed|copy of|your|enclosed|bounced) (?:the )?(?:message|mail|e-mail|email|headers?)\b[^\n]*$/im,
  /^[ \t|>]*[-=_*#+~]{2,} ?[^\n]{0,40}\b(?:message|mail|text|header|headers|body|content|contents)\b[^\n]{0,30}\b(?:follows?|attached|below|here|begins?|starts?)\b(?!.*\blog\b)[^\n]*$/im,
  /^[ \t]*[-=_*]{2,} ?below (?:this line|the next line|is)\b[^\n]*$/im,
  /^[ \t]*(?:the |your )?(?:original|returned|undelivered|unsent)? ?(?:message|mail)(?: headers?)?(?: (?:text|body))? (?:follows?|is (?:attached|enclosed|included|shown) (?:below|here)|(?:was|is) as follows)[ \t]*[:.]?[ \t]*$/im,
  /^[ \t]*(?:original|returned) (?:message|mail)? ?headers?[ \t]*:?[ \t]*$/im,
  /^[ \t]*(?:old|original) (?:message|mail)[ \t]*:[ \t]*$/im,
  /^content-type:[ \t]*(?:message\/rfc822|text\/rfc822-headers)/im,
  // Header fields without a separator.
  /^(?:return-path:[ \t]*<?[^\s@<>]+@|received:[ \t]*(?:from|by|\(qmail)\b|x-sender:|dkim-signature:)/im,
];

/** Splits a notice where the returned message begins; `returned` is undefined if it quotes none. */
export function withoutReturned(text: string): { notice: string; returned?: string } {
  let at = text.length;
  for (const separator of SEPARATORS) {
    const found = separator.exec(text.slice(0, at));
    if (found) at = found.index;
  }
  if (at === text.length) return { notice: text };
  const rest = text.slice(at);
  const isSeparator = !/^[\w-]+:/.test(rest);
  return { notice: text.slice(0, at), returned: isSeparator ? rest.slice(rest.indexOf('\n') + 1) : rest };
}
