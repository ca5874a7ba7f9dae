import { buffer } from 'node:stream/consumers';
import {
  ApiError,
  type Caller,
  type EmailsService,
  LargeAnswers,
  previewTemplate,
  type SentAttachmentDto,
  type UnsubscribePreview,
} from 'nestjs-emails';
import type { Part, Visit } from '../http/visit.js';
import { readForm } from '../http/visit-body.js';
import type { MessageParser } from '../inbox/message-parser.js';
import { PAGE_LIMITS } from '../limits.js';
import { isFromThisMachine } from '../session/this-machine.js';
import type { Visitors } from '../session/visitors.js';
import { answerFrame, asHtml, type FrameOptions } from './frame-document.js';
import { addressLength, IMAGES_ROOM, type InlineImage, idOf, referredIds, withInlineImages } from './inline-images.js';

/** Images to embed into an email's html. */
const MAX_IMAGES = 50;

/** The inbox to show, if there is one. */
export interface FramedInbox {
  parser: MessageParser;
  onlyThisMachine: boolean;
}

/** Sources of frames, as far as the host has them. */
export interface FrameSources {
  emails: EmailsService | undefined;
  inbox: FramedInbox | undefined;
  /** The page of choices. */
  choices: UnsubscribePreview | undefined;
}

/** `{path}/frames/…`: strangers' html, as documents without any permission. */
export class FramesPart implements Part {
  private readonly forms = new LargeAnswers(PAGE_LIMITS.forms.max);
  private readonly texts = new LargeAnswers(PAGE_LIMITS.frames.max);
  private readonly images = new LargeAnswers(PAGE_LIMITS.images.max);
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly sources: FrameSources,
    private readonly visitors: Visitors,
  ) {}

  async handle(visit: Visit): Promise<boolean> {
    const [room, what, id = ''] = visit.path.split('/');
    if (room !== 'frames') return false;
    const { method, query, request, response } = visit;
    const caller = await this.visitors.admitFrame(request, response, what === 'topics' ? 'viewer' : 'support');
    const allowed = what === 'template' ? 'POST' : 'GET';
    if (method !== allowed) throw ApiError.methodNotAllowed([allowed]);
    if (what === 'template') await answerFrame(response, await this.template(visit, caller));
    else if (what === 'emails') await answerFrame(response, await this.email(visit, caller, id), wishesIn(query));
    else if (what === 'inbox')
      await answerFrame(response, await this.messageInTurn(visit, caller, id), wishesIn(query));
    else if (what === 'topics') await answerFrame(response, await this.topic(visit, caller, id), { withImages: true });
    else throw ApiError.notFound();
    return true;
  }

  private async email({ response }: Visit, { accountId }: Caller, id: string): Promise<Iterable<string>> {
    const makeRoom = (bytes: number) => this.texts.makeRoom(bytes, accountId, response);
    const { emails } = this.sources;
    const email = await emails?.get(accountId, id, { makeRoom });
    if (!emails || !email) throw ApiError.notFound('Email not found');
    const { html, text } = email;
    if (html === null) return asHtml(text ?? '');
    const wanted = await referredIds(html);
    if (wanted.size === 0) return withInlineImages(html, new Map());
    const { data } = await emails.attachments(accountId, id).catch(noneWithoutLinks);
    const images = fitting(data.filter(({ content_id: contentId }) => contentId !== null && wanted.has(contentId)));
    const bytes = images.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 0) await this.images.makeRoom(bytes, accountId, response);
    const found = new Map<string, InlineImage>();
    for (const { id: attachmentId, content_id: contentId, content_type: contentType } of images) {
      const content = await buffer(await emails.openAttachment(accountId, id, attachmentId));
      found.set(contentId ?? '', { contentType, content });
    }
    return withInlineImages(html, found);
  }

  /** Only one parsed message of the inbox waits for memory at a time. */
  private messageInTurn(visit: Visit, caller: Caller, id: string): Promise<Iterable<string>> {
    const pieces = this.turn.then(() => this.message(visit, caller, id));
    this.turn = pieces.catch(() => {});
    return pieces;
  }

  private async message({ request, response }: Visit, { accountId }: Caller, id: string): Promise<Iterable<string>> {
    const { inbox } = this.sources;
    if (!inbox || (inbox.onlyThisMachine && !isFromThisMachine(request))) throw ApiError.notFound();
    const { html, text, attachments } = await inbox.parser.parse(id);
    const images = attachments
      .slice(0, MAX_IMAGES)
      .flatMap((part): [string, InlineImage][] => (part.contentId === null ? [] : [[idOf(part.contentId), part]]));
    const bytes = images.reduce((sum, [, { content }]) => sum + content.length, (html ?? text ?? '').length);
    await this.texts.makeRoom(bytes, accountId, response);
    return html === null ? asHtml(text ?? '') : withInlineImages(html, new Map(images));
  }

  /** The page that the readers of a topic come to, which is the host's own. */
  private async topic({ request, response }: Visit, { accountId }: Caller, id: string): Promise<Iterable<string>> {
    const html = await this.sources.choices?.render(accountId, id, request.headers['accept-language']);
    if (html === undefined) throw ApiError.notFound('Topic not found');
    await this.texts.makeRoom(html.length, accountId, response);
    return withInlineImages(html, new Map());
  }

  /** Renders a template while it is being edited, as far as possible. */
  private async template({ request, response }: Visit, { accountId }: Caller): Promise<Iterable<string>> {
    const announced = Number(request.headers['content-length'] ?? PAGE_LIMITS.form.max);
    const share = await this.forms.acquire(Math.min(announced, PAGE_LIMITS.form.max), accountId, response);
    share.follow(() => response.destroy());
    const form = await readForm(request, PAGE_LIMITS.form.max, (bytes) => share.proceed(bytes));
    share.unfollow();
    const [html, text, subject] = [form.get('html'), form.get('text'), form.get('subject')];
    const template = { from: null, subject, replyTo: [], html: html || null, text: text || null, variables: [] };
    const makeRoom = (bytes: number) => this.texts.makeRoom(bytes, accountId, response);
    try {
      const rendered = await previewTemplate(template, variablesOf(form.get('variables')), { makeRoom });
      return rendered.html === null ? asHtml(rendered.text ?? '') : withInlineImages(rendered.html, new Map());
    } catch (error) {
      if (error instanceof ApiError && error.statusCode < 500) return asHtml(error.message);
      throw error;
    }
  }
}

function wishesIn(query: URLSearchParams): FrameOptions {
  return { withImages: query.has('images'), isDark: query.has('dark') };
}

/** The images that fit the limit together. */
function fitting(attachments: readonly SentAttachmentDto[]): SentAttachmentDto[] {
  let room = IMAGES_ROOM;
  return attachments
    .filter(({ content_type: type }) => type.startsWith('image/'))
    .slice(0, MAX_IMAGES)
    .filter(({ content_type: contentType, size }) => {
      const length = addressLength({ contentType, content: { length: size } });
      if (length > room) return false;
      room -= length;
      return true;
    });
}

/** A host without a secret cannot make the links of attachments. */
function noneWithoutLinks(error: unknown): { data: SentAttachmentDto[] } {
  if (error instanceof ApiError && error.statusCode === 422) return { data: [] };
  throw error;
}

function variablesOf(text: string | null): Record<string, string | number> {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    throw ApiError.invalid('The sample values must be JSON.');
  }
}
