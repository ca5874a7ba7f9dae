import { ApiError } from '../../../shared/errors/api-error.js';
import type { TemplateText } from '../../../shared/text/template-text.js';
import { type MemoryShare, RequestMemory } from '../../../shared/work/request-memory.js';
import { Turns } from '../../../shared/work/slices.js';
import { EMAIL_LIMITS } from '../../limits.js';
import type { PublishedTemplate, TemplateSource } from '../../ports/template-source.js';
import { messageTooLong } from '../attachments/attachment-content.js';
import type { SendEmailDto } from '../request/send-email.dto.js';
import { FilledTemplate, parseTemplate, type RenderedTemplate, type TemplateInParts } from './template-renderer.js';
import { TemplateTexts } from './template-texts.js';

/**
 * Limit of rendered templates in memory; for large ones at least the limit of one request. Small ones are far fewer
 * than of a body, because they still have to be sent. Bytes.
 */
const MEMORY = { medium: EMAIL_LIMITS.fromSmallTemplates.max, large: EMAIL_LIMITS.fromTemplates.max, small: 8_192 };
/** Limit of the emails' bytes from templates in one request, including the templates. */
const MAX_OF_REQUEST = MEMORY.large;

/** Fields that an email takes from its template. */
export interface TemplateContent extends RenderedTemplate, Pick<PublishedTemplate, 'from' | 'replyTo' | 'sensitive'> {
  /** Id of the template. */
  id: string | undefined;
  /** Placeholders for the unsubscribe link in its html and text. */
  unsubscribeUrls: number;
}

/** Called with the refusal of an email; may throw. */
export type OnRefusal = (request: SendEmailDto, error: unknown) => void;

/** Dependencies for emails from templates. */
interface Ground {
  accountId: string;
  source: TemplateSource | undefined;
  /** Bytes of a whole message. */
  messageLimit: number;
  texts: TemplateTexts;
  memory: MemoryShare;
}

/** Renders emails from templates within a memory limit: a small request may ask for much. */
export class TemplateRendering {
  private readonly texts = new TemplateTexts();
  private readonly memory = new RequestMemory(MEMORY);

  /** @param messageLimit bytes of a whole message */
  constructor(
    private readonly source: TemplateSource | undefined,
    private readonly messageLimit: number,
  ) {}

  /** Templates for the emails of one request. Close it when they are written or refused. */
  open(accountId: string): RequestTemplates {
    const { source, messageLimit, texts, memory } = this;
    return new RequestTemplates({
      accountId,
      source,
      messageLimit,
      texts,
      memory: memory.open(accountId, MAX_OF_REQUEST),
    });
  }
}

/** The templates of the emails of one request. */
export class RequestTemplates {
  /** Each is read once. */
  private readonly templates = new Map<string, Promise<TemplateInParts | undefined>>();
  private readonly filled = new Map<SendEmailDto, FilledTemplate>();
  /** Reserved bytes of the templates. */
  private readonly texts = new Set<TemplateText>();
  /** Reserved bytes of the templates and of the emails. */
  private weight = 0;
  private bytes = 0;

  constructor(private readonly ground: Ground) {}

  /**
   * Computes the lengths of the emails and waits for that memory. Renders nothing, and reserves nothing for refused
   * ones.
   *
   * @throws ApiError 503 without memory within half a minute; the errors of `refuse`
   */
  async prepare(requests: readonly SendEmailDto[], refuse: OnRefusal): Promise<void> {
    const turns = new Turns();
    this.bytes = 0;
    for (const request of requests) {
      await turns.pass();
      try {
        const filled = await this.fill(request);
        if (this.weight + this.bytes + filled.bytes > MAX_OF_REQUEST) throw overLimit();
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
   * Renders a prepared email that was not refused.
   *
   * @throws ApiError 422 for an invalid subject
   */
  async render(request: SendEmailDto): Promise<TemplateContent> {
    const filled = this.filled.get(request);
    if (!filled) throw new Error('An email of a template was not prepared.');
    const { id = request.template?.id, from, replyTo, sensitive } = filled.template;
    const { unsubscribeUrls } = filled;
    return { id, from, replyTo, sensitive, unsubscribeUrls, ...(await filled.render()) };
  }

  /** Frees its memory. */
  close(): void {
    this.ground.memory.close();
  }

  private async fill({ template: asked, html, text }: SendEmailDto): Promise<FilledTemplate> {
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

  /** A template that waits for memory is dropped meanwhile, and read again. */
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
    const template = await parseTemplate(published, (text) => texts.get(text, accountId));
    const added = textsOf(template).filter((text) => !this.texts.has(text));
    const weight = this.weight + added.reduce((sum, text) => sum + text.weight, 0);
    if (weight + this.bytes > MAX_OF_REQUEST) throw overLimit();
    const wait = memory.makeRoom(weight);
    if (wait) return { wait };
    for (const text of added) this.texts.add(text);
    this.weight = weight;
    return { template };
  }
}

/** A template with reserved memory, or the wait for it. */
interface Found {
  template?: TemplateInParts;
  wait?: Promise<void>;
}

function textsOf({ subject, html, text }: TemplateInParts): TemplateText[] {
  return [...new Set([subject, html, text])].filter((part) => part !== null);
}

function overLimit(): ApiError {
  return ApiError.invalid(
    `The emails of one request may have ${MAX_OF_REQUEST} bytes from templates together, the templates counted.`,
  );
}
