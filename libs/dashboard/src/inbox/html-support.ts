/** A feature of html or CSS that common mail programs do not support. */
interface HtmlFeature {
  /** Finds each use. It takes linear time on any text. */
  pattern: RegExp;
  /** In the page, such as `Flexbox and grid`. */
  title: string;
  /** Programs without it. */
  missing: readonly string[];
}

const OUTLOOK = 'Outlook on Windows';
const GMAIL = 'Gmail';

/**
 * Features that a message should not depend on: none works in the newest tested version of the named programs, by the
 * test results of https://www.caniemail.com (github.com/hteumeuleu/caniemail, `_features`, read in November 2026).
 */
export const HTML_FEATURES = {
  form: { pattern: /<form\b/gi, title: 'Forms', missing: [OUTLOOK] },
  object: { pattern: /<object\b/gi, title: 'Embedded objects', missing: [GMAIL, OUTLOOK] },
  stylesheet: {
    pattern: /<link\b[^<>]{0,500}\bstylesheet\b/gi,
    title: 'Linked style sheets',
    missing: [GMAIL],
  },
  svg: { pattern: /<svg\b/gi, title: 'Inline SVG', missing: [GMAIL, OUTLOOK] },
  video: { pattern: /<(?:video|audio)\b/gi, title: 'Video and audio', missing: [GMAIL, OUTLOOK] },
  flex: { pattern: /\bdisplay\s{0,9}:\s{0,9}(?:inline-)?flex\b/gi, title: 'Flexbox', missing: [OUTLOOK] },
  grid: { pattern: /\bdisplay\s{0,9}:\s{0,9}(?:inline-)?grid\b/gi, title: 'CSS grid', missing: [GMAIL, OUTLOOK] },
  position: {
    pattern: /\bposition\s{0,9}:\s{0,9}(?:absolute|fixed|sticky)\b/gi,
    title: 'CSS positions',
    missing: [GMAIL, OUTLOOK],
  },
  background: {
    pattern: /\bbackground(?:-image)?\s{0,9}:[^;{}<>]{0,300}url\(/gi,
    title: 'Background images',
    missing: [OUTLOOK],
  },
  variables: { pattern: /\bvar\(\s{0,9}--/gi, title: 'CSS variables', missing: [GMAIL, OUTLOOK] },
  fonts: { pattern: /@font-face\b/gi, title: 'Web fonts', missing: [GMAIL, OUTLOOK] },
  radius: { pattern: /\bborder-radius\s{0,9}:/gi, title: 'Rounded corners', missing: [OUTLOOK] },
} as const satisfies Readonly<Record<string, HtmlFeature>>;

/** The name of a feature. */
export type HtmlFeatureName = keyof typeof HTML_FEATURES;

/** Uses of a feature. */
export interface HtmlUse {
  feature: HtmlFeatureName;
  count: number;
}

/** Features in html that common mail programs do not support, with the number of uses. */
export function unsupportedIn(html: string): HtmlUse[] {
  return Object.entries(HTML_FEATURES).flatMap(([feature, { pattern }]) => {
    let count = 0;
    for (const _ of html.matchAll(pattern)) count += 1;
    return count === 0 ? [] : [{ feature: feature as HtmlFeatureName, count }];
  });
}
