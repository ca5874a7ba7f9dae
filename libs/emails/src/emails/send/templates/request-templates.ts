import { ApiError } from '../../../shared/errors/api-error.js';
import type { TemplateText } from '../../../shared/text/template-text.js';
import { type MemoryShare, RequestMemory } from '../../../shared/work/request-memory.js';
import { Turns } from '../../../shared/work/slices.js';
import type { PublishedTemplate, TemplateSource } from '../../ports/template-source.js';
import { messageTooLong } from '../attachments/attachment-content.js';
import type { EmailRequest } from '../request/email-request.js';
import { FilledTemplate, type RenderedTemplate, type TemplateInParts, takeApart } from './template-renderer.js';
import { TemplateTexts } from './template-texts.js';

/**
 * Bytes of what is made from templates, in memory at the same time; of the large ones at least those of one request. Small
 * are far fewer than of a body: these have to be sent.
 */
const MEMORY = { medium: 40_000_000, large: 50_000_000, small: 8_192 };
/** Bytes that the emails of one request may have from templates, the templates counted. */
const MOST = MEMORY.large;

/** What an email takes over from its template. */
export type TemplateContent = RenderedTemplate & Pick<PublishedTemplate, 'from' | 'replyTo'>;

/** Called with the refusal of an email; may throw. */
export type OnRefusal = (request: EmailRequest, error: unknown) => void;

/** What a request needs to make emails from templates. */
interface Ground {
  accountId: string;
  source: TemplateSource | undefined;
  /** Bytes of a whole message. */
  messageLimit: number;
  texts: TemplateTexts;
  memory: MemoryShare;
}

/** Makes emails from templates as there is memory for them: a small request may ask for much. */
export class TemplateRendering {
  private readonly texts = new TemplateTexts();
  private readonly memory = new RequestMemory(MEMORY);

  /** @param messageLimit bytes of a whole message */
  constructor(
    private readonly source: TemplateSource | undefined,
    private readonly messageLimit: number,
  ) {}

  /** For the emails of one request. To be closed when they are written or refused. */
  open(accountId: string): RequestTemplates {
    const { source, messageLimit, texts, memory } = this;
    return new RequestTemplates({ accountId, source, messageLimit, texts, memory: memory.open(accountId, MOST) });
  }
}

/** The templates of the emails of one request. */
export class RequestTemplates {
  /** Each is asked for once. */
  private readonly templates = new Map<string, Promise<TemplateInParts | undefined>>();
  private readonly filled = new Map<EmailRequest, FilledTemplate>();
  /** Those of the templates, for which there is room. */
  private readonly texts = new Set<TemplateText>();
  /** Bytes of these, and of the emails. */
  private weight = 0;
  private bytes = 0;

  constructor(private readonly ground: Ground) {}

  /**
   * Finds out how long the emails will be, and waits until there is room for them. Nothing is made of them; for those that are
   * refused, no room is asked.
   *
   * @throws ApiError 503 when there is no room within half a minute; what `refuse` throws
   */
  async prepare(requests: readonly EmailRequest[], refuse: OnRefusal): Promise<void> {
    const turns = new Turns();
    this.bytes = 0;
    for (const request of requests) {
      await turns.pass();
      try {
        const filled = await this.fill(request);
        if (this.weight + this.bytes + filled.bytes > MOST) throw tooMuch();
        this.bytes += filled.bytes;
        this.filled.set(request, filled);
      } catch (error) {
        refuse(request, error);
      }
    }
    const needed = this.weight + this.bytes;
    await this.ground.memory.makeRoom(needed, needed);
  }

  /**
   * Makes an email that was prepared and not refused.
   *
   * @throws ApiError 422 when its subject cannot be one
   */
  async render(request: EmailRequest): Promise<TemplateContent> {
    const filled = this.filled.get(request);
    if (!filled) throw new Error('An email of a template was not prepared.');
    const { from, replyTo } = filled.template;
    return { from, replyTo, ...(await filled.render()) };
  }

  /** Nothing of it is in memory any more. */
  close(): void {
    this.ground.memory.close();
  }

  private async fill({ template: asked, html, text }: EmailRequest): Promise<FilledTemplate> {
    if (html !== undefined || text !== undefined) {
      throw ApiError.invalid('Give `template`, or `html` and `text`, not both.');
    }
    const { id = '', variables = {} } = asked ?? {};
    const found = this.templates.get(id) ?? this.find(id);
    this.templates.set(id, found);
    const template = await found;
    if (!template) throw ApiError.invalid('`template.id` must be the id or alias of a published template.');
    const filled = new FilledTemplate(template, variables);
    const { messageLimit } = this.ground;
    if (filled.bytes > messageLimit) throw messageTooLong(messageLimit);
    return filled;
  }

  /** What has to wait for room is not kept meanwhile, but read again. */
  private async find(id: string): Promise<TemplateInParts | undefined> {
    for (;;) {
      const { template, wait } = await this.read(id);
      if (!wait) return template;
      await wait;
    }
  }

  private async read(id: string): Promise<Found> {
    const { source, accountId, texts, memory } = this.ground;
    if (!source) throw ApiError.invalid('`template` cannot be used: this server has no templates.');
    const published = await source.find(accountId, id);
    if (!published) return {};
    const template = await takeApart(published, (text) => texts.get(text, accountId));
    const added = textsOf(template).filter((text) => !this.texts.has(text));
    const weight = this.weight + added.reduce((sum, text) => sum + text.weight, 0);
    if (weight + this.bytes > MOST) throw tooMuch();
    const wait = memory.makeRoom(weight);
    if (wait) return { wait };
    for (const text of added) this.texts.add(text);
    this.weight = weight;
    return { template };
  }
}

/** A template for which there is room, or until when there is none. */
interface Found {
  template?: TemplateInParts;
  wait?: Promise<void>;
}

function textsOf({ subject, html, text }: TemplateInParts): TemplateText[] {
  return [...new Set([subject, html, text])].filter((part) => part !== null);
}

function tooMuch(): ApiError {
  return ApiError.invalid(
    `The emails of one request may have ${MOST} bytes from templates together, the templates counted.`,
  );
}
