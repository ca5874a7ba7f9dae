import type { AttachmentStorage } from '../../ports/attachment-storage.js';
import type { AttachmentStore, LinkedContent, LinkedEmail } from '../../storage/attachment.repository.js';
import { type ByteRange, readPart } from '../../storage/stored-content.js';
import { LINK_KINDS } from './link-token.js';
import type { Link, Links } from './links.js';

/** The file that a link leads to. */
export interface LinkedFile {
  filename: string | null;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Opens the part when it is read, and not all of it at once. */
  read(part: ByteRange): AsyncGenerator<Uint8Array>;
}

/** What stands on the page of a shared email. */
export interface SharedEmail extends Omit<LinkedEmail, 'accountId'> {
  /** Of what shows its html or text, beside the page's own link: `{key id}/{token}`. */
  contentPath: string;
}

/** Its html, in which `cid:` leads to the files that are meant; else its text. Null: it has neither. */
export interface SharedContent {
  html: string | null;
  text: string | null;
}

/** As html has it of a file of the same message (RFC 2392). Ids have no other characters. */
const CONTENT_LINK = /\bcid:([A-Za-z0-9._@+-]{1,128})/gi;
/** Of these, how many become links: each is longer than what it stands for, and a page has room for its html alone. */
const MOST_LINKS = 1_000;

/** What links lead to. Undefined for a link of another kind, and where there is nothing any more. */
export class LinkedFiles {
  constructor(
    private readonly repository: AttachmentStore,
    private readonly storage: AttachmentStorage,
    private readonly links: Links,
  ) {}

  async file(link: Link): Promise<LinkedFile | undefined> {
    if (link.kind !== LINK_KINDS.attachment) return undefined;
    const found = await this.repository.linkedAttachment(link.emailId, link.position);
    if (!found || !link.isOf(found.accountId)) return undefined;
    const { contentHash, filename, contentType, size } = found;
    return { filename, contentType, size, read: (part) => readPart(this.storage, contentHash, part) };
  }

  async email(link: Link): Promise<SharedEmail | undefined> {
    if (link.kind !== LINK_KINDS.sharedEmail) return undefined;
    const found = await this.find(link);
    if (!found) return undefined;
    const { accountId, ...email } = found;
    const wanted = { kind: LINK_KINDS.sharedContent, accountId, emailId: link.emailId };
    return { ...email, contentPath: this.links.path(wanted, link.expiresAt) };
  }

  /** @param makeRoom asked before the content is read, for so many bytes */
  async content(link: Link, makeRoom: (bytes: number) => Promise<void>): Promise<SharedContent | undefined> {
    if (link.kind !== LINK_KINDS.sharedContent) return undefined;
    const email = await this.find(link);
    if (!email) return undefined;
    if (email.contentSize !== null) await makeRoom(email.contentSize);
    const found = await this.repository.linkedContent(link.emailId);
    return found && { text: found.text, html: this.showFiles(found, email.accountId, link) };
  }

  private async find(link: Link): Promise<LinkedEmail | undefined> {
    const found = await this.repository.linkedEmail(link.emailId);
    return found && link.isOf(found.accountId) ? found : undefined;
  }

  private showFiles({ html, inline }: LinkedContent, accountId: string, { emailId, expiresAt }: Link): string | null {
    if (html === null || inline.length === 0) return html;
    const positions = new Map(inline.map(({ contentId, position }) => [contentId, position]));
    let shown = 0;
    return html.replaceAll(CONTENT_LINK, (text, contentId: string) => {
      const position = positions.get(contentId);
      if (position === undefined || ++shown > MOST_LINKS) return text;
      return this.links.make({ kind: LINK_KINDS.attachment, accountId, emailId, position }, expiresAt);
    });
  }
}
