import { OPERATORS } from '../../libs/emails/src/shared/replies/operators/index.js';
import { CORPUS_PARTS, readReplies } from './corpus.js';

/** As `judgeReply` reads it: one line, without the codes of further lines. */
function inOneLine(text: string): string {
  return text.replace(/[\r\n]+(?:\d{3}[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?/g, ' ').replace(/\s+/g, ' ');
}

describe('the words of operators', () => {
  it('are in the entries of the corpus that they name', () => {
    const texts = new Map(CORPUS_PARTS.flatMap(readReplies).map(({ id, text }) => [id, inOneLine(text)]));
    const named = OPERATORS.flatMap(({ replies }) => replies).filter(({ corpus }) => corpus !== undefined);
    expect(named.length).toBeGreaterThan(0);
    // Ids only: entries of the held-out part are not shown.
    const missing = named.filter(({ corpus, pattern }) => !pattern.test(texts.get(corpus as string) ?? ''));
    expect(missing.map(({ corpus }) => corpus)).toEqual([]);
  });
});
