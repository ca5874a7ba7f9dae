import { createHash } from 'node:crypto';
import type { SharedEmail } from '../../read/links/linked-files.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { background: #fff; border: 1px solid #8888; height: 75vh; width: 100%; }
`;

/** Policy of the page, whose html is entirely ours: it shows the email in a frame and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Policy of the email's html in that frame: it has no origin, runs and sends nothing, and loads nothing but its own
 * files.
 *
 * @param files base address of links
 */
export const contentPolicy = (files: string): string =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: ${files}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** The page of a shared email. */
export function sharePage({ from, to, cc, subject, createdAt, contentSize, contentPath }: SharedEmail): string {
  const lines = [
    ['From', from],
    ['To', to.join(', ')],
    ...(cc.length > 0 ? [['Cc', cc.join(', ')]] : []),
    ['Date', `${createdAt.slice(0, 19)} UTC`],
  ];
  const content =
    contentSize === null
      ? '<p>The content of this email is no longer kept, or it has none.</p>'
      : `<iframe title="Content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="../${contentPath}"></iframe>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(subject)}</h1>
<dl>
${lines.map(([name = '', text = '']) => `<dt>${name}</dt><dd>${escaped(text)}</dd>`).join('\n')}
</dl>
${content}
</body>
</html>
`;
}

/** The email's html for the frame: its links open in a new tab. Browsers ignore a second doctype in it. */
export function frameOf(html: string): string {
  return `<!doctype html><base target="_blank">${html}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
