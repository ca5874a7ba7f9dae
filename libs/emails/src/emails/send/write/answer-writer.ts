import type { AnswerResult, AnswerStore, NewAnswer } from '../../storage/accept/answer.repository.js';
import { hasGivenMessageId } from '../../storage/accept/emails.repository.js';
import { LONG } from './email-writer.js';
import { Writer } from './writer.js';

/** Writes the emails of one answer together, and no others with them: all are written, or none. */
export class AnswerWriter extends Writer<NewAnswer, Extract<AnswerResult, { accepted: true }>> {
  constructor(store: AnswerStore) {
    super(
      {
        // One at a time.
        accept: ([answer], lockTimeout) => each(answer, (one) => store.accept(one, lockTimeout)),
        acceptFree: ([answer], lockTimeout) => each(answer, (one) => store.acceptFree(one, lockTimeout)),
        givenIds: ({ emails }) => emails.filter(hasGivenMessageId).map(({ messageId }) => messageId),
        findAccepted: (answers) => Promise.all(answers.map((answer) => store.findAccepted(answer))),
      },
      { maxSize: 1, isLong },
    );
  }
}

async function each(answer: NewAnswer | undefined, write: (answer: NewAnswer) => Promise<AnswerResult>) {
  return answer ? [await write(answer)] : [];
}

function isLong({ emails, source }: NewAnswer): boolean {
  const given = emails.reduce((sum, { html, text }) => sum + (html?.length ?? 0) + (text?.length ?? 0), 0);
  return given + (source?.contentSize ?? 0) > LONG;
}
