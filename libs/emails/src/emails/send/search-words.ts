import { wordsOf } from '../../shared/text/words.js';
import { EMAIL_LIMITS } from '../limits.js';
import type { NewEmail } from '../storage/accept/emails.repository.js';

const MOST = EMAIL_LIMITS.words.max;
const MOST_OF_SUBJECT = EMAIL_LIMITS.wordsOfSubject.max;
/** Limit of the mailboxes that are read: 150 long ones would take the event loop for 20 ms. Characters. */
const MOST_TEXT = 8_000;

/** The words by which a new email is found. */
export class SearchWords {
  /** @param areIndexed false: no email has any */
  constructor(private readonly areIndexed: boolean) {}

  /**
   * The first different words of the subject, then those of mailboxes, then the others of the subject: a bounded
   * number, whatever the texts are.
   */
  of({ subject, from, to, cc, bcc }: Pick<NewEmail, 'subject' | 'from' | 'to' | 'cc' | 'bcc'>): string[] {
    const words: string[] = [];
    if (!this.areIndexed) return words;
    const ofSubject = wordsOf(subject);
    addWords(words, ofSubject, MOST_OF_SUBJECT);
    let left = MOST_TEXT;
    for (const mailboxes of [[from], to, cc, bcc]) {
      for (const mailbox of mailboxes) {
        if (words.length >= MOST || left <= 0) break;
        left -= mailbox.length;
        addWords(words, wordsOf(mailbox), MOST);
      }
    }
    addWords(words, ofSubject, MOST);
    return words;
  }
}

/** A search in so few words is faster than a set. */
function addWords(words: string[], more: readonly string[], most: number): void {
  for (const word of more) {
    if (words.length >= most) return;
    if (!words.includes(word)) words.push(word);
  }
}
