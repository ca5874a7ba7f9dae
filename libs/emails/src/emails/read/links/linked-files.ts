import { Inject, Injectable } from '@nestjs/common';
import { ATTACHMENT_STORAGE, type AttachmentStorage } from '../../ports/attachment-storage.js';
import { type ByteRange, readPart } from '../../storage/keep/stored-content.js';
import {
  AttachmentRepository,
  type AttachmentStore,
  type LinkedContent,
  type LinkedEmail,
} from '../../storage/read/attachment.repository.js';
import { LINK_KINDS } from './link-token.js';
import { type Link, Links } from './links.js';

/** The file that a link leads to. */
export interface LinkedFile {
  filename: string | null;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Opens the part when it is read, and reads it in pieces. */
  read(part: ByteRange): AsyncGenerator<Uint8Array>;
}

/** Content of the page of a shared email. */
export interface SharedEmail extends Omit<LinkedEmail, 'accountId'> {
  /** Link of the frame that shows its html or text, next to the page's own link: `{key id}/{token}`. */
  contentPath: string;
}

/** Its html with `cid:` replaced by links to the files; else its text. Null: it has neither. */
export interface SharedContent {
  html: string | null;
  text: string | null;
}

/** A reference in html to a file of the same message (RFC 2392). Ids have no other characters. */
const CONTENT_LINK = /\bcid:([A-Za-z0-9._@+-]{1,128})/gi;
/**
 * Limit of references that become links: a link is longer than the reference, and the page reserves memory for its html
 * alone.
 */
const MAX_LINKS = 1_000;

/** The targets of links. Methods resolve to undefined for a link of another kind, and for a deleted target. */
@Injectable()
export class LinkedFiles {
  constructor(
    @Inject(AttachmentRepository) private readonly repository: AttachmentStore,
    @Inject(ATTACHMENT_STORAGE) private readonly storage: AttachmentStorage,
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

  /** @param makeRoom is asked for the content's bytes before it is read */
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
      if (position === undefined || ++shown > MAX_LINKS) return text;
      return this.links.make({ kind: LINK_KINDS.attachment, accountId, emailId, position }, expiresAt);
    });
  }
}
