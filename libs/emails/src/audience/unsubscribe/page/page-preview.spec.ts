import { jest } from '@jest/globals';
import type { ReaderTopic } from '../choices/reader-topic.js';
import { PageWriter } from '../http/page-writer.js';
import { PagePreview } from './page-preview.js';
import { ENGLISH } from './unsubscribe-texts.js';

const ID = '0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11';
const topic = (some: Partial<ReaderTopic> = {}): ReaderTopic => ({
  id: ID,
  name: 'News',
  description: null,
  isSubscribed: true,
  isOfEmail: true,
  ...some,
});

function previewOf(topics: readonly ReaderTopic[], options = {}) {
  const stateOf = jest.fn(async () => ({ topics, isOutOfAll: false }));
  return { preview: new PagePreview({ stateOf }, new PageWriter(options)), stateOf };
}

describe('PagePreview', () => {
  it('shows the page of a topic to nobody in particular', async () => {
    const { preview, stateOf } = previewOf([topic()]);
    const html = await preview.render('account', ID);
    expect(html).toContain('<h2 id="t0">News</h2>');
    expect(html).toContain('@example.invalid');
    expect(stateOf).toHaveBeenCalledWith({ accountId: 'account', topicId: ID, address: 'reader@example.invalid' });
  });

  it("shows the host's page, in the language of the request", async () => {
    const page = {
      render: ({ language, topics }: { language: string; topics: readonly ReaderTopic[] }) =>
        `${language} ${topics.length}`,
    };
    const { preview } = previewOf([topic(), topic({ isOfEmail: false })], { page, texts: { de: ENGLISH } });
    expect(await preview.render('account', ID, 'de-AT, en;q=0.5')).toBe('de 2');
    expect(await preview.render('account', ID)).toBe('en 2');
  });

  it('shows nothing for a topic that the account has not', async () => {
    expect(await previewOf([topic({ isOfEmail: false })]).preview.render('account', ID)).toBeUndefined();
    const { preview, stateOf } = previewOf([topic()]);
    expect(await preview.render('account', 'new')).toBeUndefined();
    expect(stateOf).not.toHaveBeenCalled();
  });
});
