import { linesOf } from './fields.js';
import { MAX_LINE, MAX_RECIPIENTS } from './limits-of-reports.js';

const ADDRESS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?";
/** A line that begins with the recipient. */
const AT_START = new RegExp(
  `^[\\s>*|"'-]{0,20}<?(?:(?:smtp|mailto|rfc822)[:;] ?)?(${ADDRESS})>?(?:[\\s,:;)"'(<]|\\.(?![A-Za-z0-9])|$)`,
  'i',
);
/** A line that names the recipient. */
const NAMED = new RegExp(
  `\\b(?:RCPT TO|recipients?|addressee|to (?:the )?(?:following )?(?:recipient|address|user|e-?mail)\\w*|deliver(?:ed|y)?(?: \\w+){0,3} to|message to|sent to|mail to|user|user ?id|unknown host|address|mailbox|generated from|expanded from|destinatario|empfänger|account|failed|TO|for)\\b[^@\\n<]{0,40}[\\s:<("'\`\\[]<?(${ADDRESS})`,
  'i',
);
/** A reply begins with its code or status. */
const REPLY = /\b[45]\d\d[ -]{1,3}(?:#?[245]\.\d|[A-Za-z<'"[(*])|#?\b[45]\.\d{1,3}\.\d{1,3}\b|\b[45]\d\d\b/;
/** Characters of a subject that is left out: shorter ones may be words of the notice. */
const MIN_TITLE = 8;
/** Characters of a paragraph that are judged. */
const MAX_PARAGRAPH = 2_000;

/** The lines about each recipient: from the line that names it to the next such line. By address in lower case. */
export function paragraphsOf(notice: string, isOther: (address: string) => boolean): Map<string, string> {
  const paragraphs = new Map<string, string>();
  const lines = linesOf(notice);
  const read = (pattern: RegExp) => {
    let current: string | undefined;
    for (const line of lines) {
      const address = pattern.exec(line.slice(0, MAX_LINE))?.[1]?.replace(/\.+$/, '').toLowerCase();
      if (address !== undefined && isOther(address)) {
        if (paragraphs.size >= MAX_RECIPIENTS && !paragraphs.has(address)) return;
        current = address;
      }
      if (current === undefined) continue;
      const text = paragraphs.get(current) ?? '';
      if (text.length < MAX_PARAGRAPH) paragraphs.set(current, `${text}${line}\n`.slice(0, MAX_PARAGRAPH));
    }
  };
  read(AT_START);
  if (paragraphs.size === 0) read(NAMED);
  return paragraphs;
}

/** The reply that a text quotes: from its code or status on, in one line. */
export function replyIn(text: string): string | undefined {
  const at = text.search(REPLY);
  return at < 0
    ? undefined
    : text
        .slice(at, at + MAX_PARAGRAPH)
        .replace(/\s+/g, ' ')
        .trim();
}

/** Fields of the returned message that a notice quotes: what they say is no reason. */
const QUOTED_FIELD =
  /^[ \t>|*]{0,20}(?:from|to|cc|bcc|subject|date|sent|message-id|reply-to|in-reply-to|references|return-path|received|mime-version|content-[\w-]{1,30}|betreff|von|an|objet|asunto|assunto|oggetto)[ \t]{0,10}:.*$/gim;

/**
 * Texts about a recipient, the nearest first: its paragraph, and the whole notice where that can be about no other.
 *
 * @param title subject of the returned message, whose words are no reason either
 */
export function textsAbout(paragraph: string | undefined, notice: string, isOnly: boolean, title?: string): string[] {
  return [paragraph, isOnly ? notice : undefined]
    .filter((text) => text !== undefined)
    .map((text) => withoutQuotes(text, title))
    .flatMap((text) => [replyIn(text) ?? text, text]);
}

/** A text without what it quotes of the returned message. */
export function withoutQuotes(text: string, title?: string): string {
  const left = text.replace(QUOTED_FIELD, ' ');
  return title !== undefined && title.length >= MIN_TITLE ? left.replaceAll(title, ' ') : left;
}
