import { wordsOf } from '../../../shared/text/words.js';
import { Turns } from '../../../shared/work/slices.js';
import { terms } from '../email-terms.js';

/** The texts of an email that have its words. */
export interface Texts {
  subject: string;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
}

/** An email before and after texts of it were erased. */
export interface ErasedTexts {
  seq: string;
  before: Texts;
  after: Texts;
}

/** A search term and the number of the email that no longer has it. */
export interface LostTerm {
  term: string;
  seq: string;
}

/** The terms of words that the emails lost, also of words that were never indexed. */
export async function lostWords(emails: readonly ErasedTexts[]): Promise<LostTerm[]> {
  const lost: LostTerm[] = [];
  const turns = new Turns();
  for (const { seq, before, after } of emails) {
    await turns.pass();
    for (const word of wordsLost(textsOf(before), textsOf(after))) lost.push({ term: terms.word(word), seq });
  }
  return lost;
}

function wordsLost(before: readonly string[], after: readonly string[]): Set<string> {
  const kept = new Set(after);
  const lost = new Set(before.filter((text) => !kept.has(text)).flatMap(wordsOf));
  if (lost.size > 0) for (const word of after.flatMap(wordsOf)) lost.delete(word);
  return lost;
}

function textsOf({ subject, from, to, cc, bcc }: Texts): string[] {
  return [subject, from, ...to, ...cc, ...bcc];
}
