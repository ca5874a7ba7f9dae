import { buffer } from 'node:stream/consumers';
import { ApiError, type AttachmentRecord, type Caller, type EmailsService, previewTemplate } from 'nestjs-emails';
import type { Part, Visit } from '../http/visit.js';
import { readForm } from '../http/visit-body.js';
import type { MessageParser } from '../inbox/message-parser.js';
import { isFromThisMachine } from '../session/this-machine.js';
import type { Visitors } from '../session/visitors.js';
import { answerFrame, asHtml } from './frame-document.js';
import { type InlineImage, idOf, referredIds, withInlineImages } from './inline-images.js';

/** Of a template that is being written. Bytes. */
const FORM_LIMIT = 4_000_000;
/** Images of an email that are put into its html. */
const MOST_IMAGES = 50;
/** Of one of them. Bytes. */
const LARGEST_IMAGE = 10_000_000;

/** The inbox whose messages are shown, where there is one. */
export interface FramedInbox {
  parser: MessageParser;
  onlyThisMachine: boolean;
}

/** `{path}/frames/…`: html that somebody wrote, as documents that may do nothing. */
export class FramesPart implements Part {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly emails: EmailsService | undefined,
    private readonly inbox: FramedInbox | undefined,
    private readonly visitors: Visitors,
  ) {}

  async take(visit: Visit): Promise<boolean> {
    const [room, what, id = ''] = visit.path.split('/');
    if (room !== 'frames') return false;
    const caller = await this.visitors.admitFrame(visit.request, visit.response);
    const { method, query, request, response } = visit;
    const allowed = what === 'template' ? 'POST' : 'GET';
    if (method !== allowed) throw ApiError.methodNotAllowed([allowed]);
    if (what === 'template') answerFrame(response, templateHtml(await readForm(request, FORM_LIMIT)));
    else if (what === 'emails') answerFrame(response, await this.emailInTurn(caller, id), query.has('images'));
    else if (what === 'inbox') answerFrame(response, await this.messageHtml(visit, id), query.has('images'));
    else throw ApiError.notFound();
    return true;
  }

  /** One email with its images is in memory at a time. */
  private emailInTurn(caller: Caller, id: string): Promise<string> {
    const html = this.turn.then(() => this.emailHtml(caller, id));
    this.turn = html.catch(() => {});
    return html;
  }

  private async emailHtml({ accountId }: Caller, id: string): Promise<string> {
    const email = await this.emails?.get(accountId, id);
    if (!this.emails || !email) throw ApiError.notFound('Email not found');
    if (email.html === null) return asHtml(email.text ?? '');
    const wanted = new Set(referredIds(email.html));
    if (wanted.size === 0) return email.html;
    const { data } = await this.emails.attachments(accountId, id).catch(noneWithoutLinks);
    const images = data
      .filter(({ content_id: contentId, content_type: type, size }) => {
        return contentId !== null && wanted.has(contentId) && type.startsWith('image/') && size <= LARGEST_IMAGE;
      })
      .slice(0, MOST_IMAGES);
    const found = new Map<string, InlineImage>();
    for (const { id: attachmentId, content_id: contentId, content_type: contentType } of images) {
      const content = await buffer(await this.emails.openAttachment(accountId, id, attachmentId));
      found.set(contentId ?? '', { contentType, content });
    }
    return withInlineImages(email.html, found);
  }

  private async messageHtml({ request }: Visit, id: string): Promise<string> {
    if (!this.inbox || (this.inbox.onlyThisMachine && !isFromThisMachine(request))) throw ApiError.notFound();
    const { html, text, attachments } = await this.inbox.parser.parse(id);
    if (html === null) return asHtml(text ?? '');
    const images = attachments
      .slice(0, MOST_IMAGES)
      .flatMap((part): [string, InlineImage][] => (part.contentId === null ? [] : [[idOf(part.contentId), part]]));
    return withInlineImages(html, new Map(images));
  }
}

/** A host without a secret cannot make the links that come with attachments. */
function noneWithoutLinks(error: unknown): { data: AttachmentRecord[] } {
  if (error instanceof ApiError && error.statusCode === 422) return { data: [] };
  throw error;
}

/** What a template would say, as far as it can be told while it is being written. */
function templateHtml(form: URLSearchParams): string {
  const [html, text] = [form.get('html'), form.get('text')];
  const template = {
    from: null,
    subject: form.get('subject'),
    replyTo: [],
    html: html || null,
    text: text || null,
    variables: [],
  };
  try {
    const rendered = previewTemplate(template, variablesOf(form.get('variables')));
    return rendered.html ?? asHtml(rendered.text ?? '');
  } catch (error) {
    if (error instanceof ApiError) return asHtml(error.message);
    throw error;
  }
}

function variablesOf(text: string | null): Record<string, string | number> {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    throw ApiError.invalid('The sample values must be JSON.');
  }
}
