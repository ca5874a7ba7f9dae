import type { AnswerResult, AnswerStore, EmailSource, NewAnswer } from '../../storage/accept/answer.repository.js';
import { AnswerWriter } from './answer-writer.js';

const ACCEPTED: AnswerResult = { accepted: true, emails: [] };

/** An answer with one email, and the size of its original. */
const answer = (accountId: string, contentSize?: number) =>
  ({
    accountId,
    emails: [{ id: '1', messageId: '<1@a.b>', html: null, text: null }],
    idempotency: null,
    ...(contentSize !== undefined && { source: { contentSize } as EmailSource }),
  }) as unknown as NewAnswer;

describe('AnswerWriter', () => {
  it('does not make others wait for the copy of a large email', async () => {
    let end = () => {};
    const copied = new Promise<void>((resolve) => {
      end = resolve;
    });
    const store = {
      accept: async ({ source }: NewAnswer) => {
        if (source) await copied;
        return ACCEPTED;
      },
    } as unknown as AnswerStore;
    const writer = new AnswerWriter(store);
    const copy = writer.write(answer('large', 2_000_000));
    await writer.write(answer('small'));
    end();
    expect(await copy).toEqual(ACCEPTED);
  });
});
