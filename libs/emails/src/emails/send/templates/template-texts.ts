import { TemplateText } from '../../../shared/text/template-text.js';
import { ByteBudget } from '../../../shared/work/byte-budget.js';
import { heapShare } from '../../../shared/work/heap-share.js';
import { inTurns, type Sliced } from '../../../shared/work/slices.js';

/** Limit of cached texts, of all accounts together. Bytes. */
const KEPT = 16_000_000;
/** Limit up to which a text is parsed without a memory reservation. Characters. */
const SHORT = 65_536;
/** Memory limit of concurrent parsing in bytes, and the maximal memory of one text per character. */
const PARSING_MEMORY = 40_000_000;
const TIMES = 8;
/** Limits of texts that wait for it, in total and of one account. Each has a megabyte or two. */
const WAITING = { all: 60, each: 20, promises: Number.POSITIVE_INFINITY };

/**
 * Cache of parsed texts of published templates. The text itself is the key, so that an entry cannot be out of date,
 * regardless of the host's `TemplateSource`.
 */
export class TemplateTexts {
  /** The least recently used first. */
  private readonly kept = new Map<string, TemplateText>();
  private readonly begun = new Map<string, Promise<TemplateText>>();
  private weight = 0;
  private readonly memory = new ByteBudget(PARSING_MEMORY, WAITING);

  /** @param limit limit in bytes */
  constructor(private readonly limit = heapShare(KEPT)) {}

  /**
   * @param owner account of the text
   * @throws ApiError 422 for an invalid template, 503 without memory to parse it
   */
  get(source: string, owner: string): TemplateText | Promise<TemplateText> {
    const known = this.kept.get(source);
    if (known) {
      this.kept.delete(source);
      this.kept.set(source, known);
      return known;
    }
    if (source.length <= SHORT) return this.keep(source, atOnce(TemplateText.of(source)));
    const begun = this.begun.get(source) ?? this.parse(source, owner).finally(() => this.begun.delete(source));
    this.begun.set(source, begun);
    return begun;
  }

  private async parse(source: string, owner: string): Promise<TemplateText> {
    const share = await this.memory.acquire(source.length * TIMES, owner);
    try {
      return this.keep(source, await inTurns(TemplateText.of(source)));
    } finally {
      share.close();
    }
  }

  private keep(source: string, text: TemplateText): TemplateText {
    if (text.weight > this.limit) return text;
    this.kept.set(source, text);
    this.weight += text.weight;
    for (const [oldest, { weight }] of this.kept) {
      if (this.weight <= this.limit) break;
      this.kept.delete(oldest);
      this.weight -= weight;
    }
    return text;
  }
}

function atOnce<Result>(work: Sliced<Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
