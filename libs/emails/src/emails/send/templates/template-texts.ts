import { TemplateText } from '../../../shared/text/template-text.js';
import { ByteBudget } from '../../../shared/work/byte-budget.js';
import { inTurns, type Sliced } from '../../../shared/work/slices.js';

/** Bytes of texts that are kept taken apart, whoever's they are. */
const KEPT = 16_000_000;
/** Characters up to which a text is taken apart without asking for memory. */
const SHORT = 65_536;
/** Bytes that may be taken apart at the same time, and how many times its characters one takes at most meanwhile. */
const UNDER_WAY = 40_000_000;
const TIMES = 8;
/** Texts that may wait for that, each a megabyte or two: all, and of one account. */
const WAITING = { all: 60, each: 20, promises: Number.POSITIVE_INFINITY };

/**
 * The texts of published templates, taken apart: once each, as long as they are used. A text is found by itself, so that what is
 * kept cannot be out of date, whatever a host's `TemplateSource` does.
 */
export class TemplateTexts {
  /** The one that was used least lately first. */
  private readonly kept = new Map<string, TemplateText>();
  private readonly begun = new Map<string, Promise<TemplateText>>();
  private weight = 0;
  private readonly memory = new ByteBudget(UNDER_WAY, WAITING);

  /** @param most bytes that are kept */
  constructor(private readonly most = KEPT) {}

  /**
   * @param owner whose text it is
   * @throws ApiError 422 for a text that is no template, 503 when there is no memory to take it apart
   */
  get(source: string, owner: string): TemplateText | Promise<TemplateText> {
    const known = this.kept.get(source);
    if (known) {
      this.kept.delete(source);
      this.kept.set(source, known);
      return known;
    }
    if (source.length <= SHORT) return this.keep(source, atOnce(TemplateText.of(source)));
    const begun = this.begun.get(source) ?? this.takeApart(source, owner).finally(() => this.begun.delete(source));
    this.begun.set(source, begun);
    return begun;
  }

  private async takeApart(source: string, owner: string): Promise<TemplateText> {
    const share = await this.memory.take(source.length * TIMES, owner);
    try {
      return this.keep(source, await inTurns(TemplateText.of(source)));
    } finally {
      share.close();
    }
  }

  private keep(source: string, text: TemplateText): TemplateText {
    if (text.weight > this.most) return text;
    this.kept.set(source, text);
    this.weight += text.weight;
    for (const [oldest, { weight }] of this.kept) {
      if (this.weight <= this.most) break;
      this.kept.delete(oldest);
      this.weight -= weight;
    }
    return text;
  }
}

function atOnce<Result>(work: Sliced<Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
