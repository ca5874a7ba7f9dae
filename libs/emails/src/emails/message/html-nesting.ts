import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text';

/**
 * Levels of nested quotes and lists, of nested headings, and of nested links that are converted as such. The converter
 * goes through all lines, or words, inside each of them again.
 */
const LEVELS = 10;

const BLOCKS = new Set(['blockquote', 'ol', 'ul']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const LINKS = new Set(['a']);

/** Built-in formats of the converter. */
const FORMATS: readonly [elements: ReadonlySet<string>, format: (element: string) => string, beyond: string][] = [
  [BLOCKS, (element) => ({ ol: 'orderedList', ul: 'unorderedList' })[element] ?? 'blockquote', 'block'],
  [HEADINGS, () => 'heading', 'block'],
  [LINKS, () => 'anchor', 'inline'],
];

/** Options of the converter with which deeper elements of these kinds give only their content. */
export const LIMITED_NESTING: Pick<HtmlToTextOptions, 'formatters' | 'selectors'> = {
  formatters: Object.fromEntries(
    FORMATS.flatMap(([elements, format, beyond]) =>
      [...elements].map((element) => [nameOf(element), limited(elements, format(element), beyond)] as const),
    ),
  ),
  selectors: FORMATS.flatMap(([elements]) =>
    [...elements].map((element) => ({ selector: element, format: nameOf(element) })),
  ),
};

function nameOf(element: string): string {
  return `limited ${element}`;
}

function limited(elements: ReadonlySet<string>, format: string, beyond: string): FormatCallback {
  return (element, walk, builder, options) => {
    const chosen = levelOf(element, elements) > LEVELS ? beyond : format;
    builder.options.formatters?.[chosen]?.(element, walk, builder, options);
  };
}

function levelOf(element: DomNode, elements: ReadonlySet<string>): number {
  let level = 0;
  for (let at: DomNode | null | undefined = element; at; at = at.parent) {
    if (at.name !== undefined && elements.has(at.name)) level++;
  }
  return level;
}
