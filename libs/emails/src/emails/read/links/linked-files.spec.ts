import { randomUUID } from 'node:crypto';
import { SecretKeys } from '../../../shared/keys/secret-keys.js';
import type { AttachmentStore } from '../../storage/read/attachment.repository.js';
import { LINK_KINDS } from './link-token.js';
import { LinkedFiles } from './linked-files.js';
import { Links } from './links.js';

const ACCOUNT = 'acme';
const EMAIL = randomUUID();

describe('LinkedFiles', () => {
  const links = new Links(new SecretKeys(['s'.repeat(32)]), () => 'https://mail.test', 3_600_000);

  /** The page of an email with this html and one inline file, `logo`. */
  async function shown(html: string): Promise<string> {
    const repository: Pick<AttachmentStore, 'linkedEmail' | 'linkedContent'> = {
      linkedEmail: async () => ({
        accountId: ACCOUNT,
        from: 'a@b.test',
        to: [],
        cc: [],
        subject: '',
        createdAt: '',
        contentSize: html.length,
      }),
      linkedContent: async () => ({ html, text: null, inline: [{ position: 1, contentId: 'logo' }] }),
    };
    const storage = { put: () => Promise.reject(), get: () => Promise.reject() };
    const files = new LinkedFiles(repository as AttachmentStore, storage, links);
    const wanted = { kind: LINK_KINDS.sharedContent, accountId: ACCOUNT, emailId: EMAIL };
    const [kid = '', token = ''] = links.path(wanted, links.expiry()).split('/');
    return (await files.content(links.read(kid, token)!, async () => {}))?.html ?? '';
  }

  it('shows the inline files of a shared email, and keeps other references', async () => {
    expect(await shown('<img src="CID:logo"><img src="cid:none">')).toMatch(
      /^<img src="https:\/\/mail\.test\/files\/[^"]+"><img src="cid:none">$/,
    );
  });

  it('bounds the growth of html that names a file many times', async () => {
    const html = 'cid:logo '.repeat(200_000);
    expect((await shown(html)).length).toBeLessThan(html.length + 200_000);
  });
});
