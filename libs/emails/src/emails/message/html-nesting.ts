import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text';

const BLOCKS = new Set(['blockquote', 'ol', 'ul']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const LINKS = new Set(['a']);

/** The largest Roman number: beyond it the converter writes none, and fails in long lists. */
const MAX_ROMAN = 3_999;

interface Kind {
  elements: ReadonlySet<string>;
  /** Nested elements that are converted as such. */
  levels: number;
  /** Built-in format of the converter for these elements, and for those beyond the levels. */
  format: (element: string) => string;
  beyond: string;
}

/**
 * The converter goes through all lines, or words, inside each of these elements again, so that their levels multiply.
 * Html allows no heading in a heading, and no link in a link.
 */
const KINDS: readonly Kind[] = [
  {
    elements: BLOCKS,
    levels: 10,
    format: (element) => ({ ol: 'orderedList', ul: 'unorderedList' })[element] ?? 'blockquote',
    beyond: 'block',
  },
  { elements: HEADINGS, levels: 1, format: () => 'heading', beyond: 'block' },
  { elements: LINKS, levels: 1, format: () => 'anchor', beyond: 'inline' },
];

/** Options of the converter with which deeper elements of these kinds give only their content. */
export const LIMITED_NESTING: Pick<HtmlToTextOptions, 'formatters' | 'selectors'> = {
  formatters: Object.fromEntries(
    KINDS.flatMap((kind) => [...kind.elements].map((element) => [nameOf(element), limited(kind, element)] as const)),
  ),
  selectors: KINDS.flatMap(({ elements }) =>
    [...elements].map((element) => ({ selector: element, format: nameOf(element) })),
  ),
};

function nameOf(element: string): string {
  return `limited ${element}`;
}

function limited({ elements, levels, format, beyond }: Kind, name: string): FormatCallback {
  return (element, walk, builder, options) => {
    const chosen = levelOf(element, elements) > levels ? beyond : format(name);
    if (name === 'ol') limitRoman(element);
    builder.options.formatters?.[chosen]?.(element, walk, builder, options);
  };
}

function limitRoman({ attribs, children = [] }: DomNode): void {
  const first = Number(attribs?.start || 1);
  const isRoman = first > 0 && first + children.length - 1 <= MAX_ROMAN;
  if (!isRoman && /^i$/i.test(attribs?.type)) attribs.type = '1';
}

function levelOf(element: DomNode, elements: ReadonlySet<string>): number {
  let level = 0;
  for (let at: DomNode | null | undefined = element; at; at = at.parent) {
    if (at.name !== undefined && elements.has(at.name)) level++;
  }
  return level;
}
