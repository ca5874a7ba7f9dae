import { createHash } from 'node:crypto';
import { escapedHtml } from '../../../shared/text/escaped-html.js';
import type { ReaderTopic } from '../choices/reader-topic.js';
import { maskedAddress } from './masked-address.js';
import type { PageLanguage, ReaderChange, UnsubscribePage, UnsubscribePageData } from './unsubscribe-page.js';
import { filled, type UnsubscribeTexts } from './unsubscribe-texts.js';

/** Sizes of targets, contrasts and focus by WCAG 2.2 AA; colours of the system in light and dark. */
const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin: 0; }
h2, h3, p { overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0.25rem 0; }
section, li { margin: 1.5rem 0; }
ul { list-style: none; margin: 0; padding: 0; }
[role=status] { border: 0.125rem solid; border-radius: 0.5rem; padding: 0.75rem 1rem; }
button { background: ButtonFace; border: 0.0625rem solid; border-radius: 0.375rem; color: ButtonText; cursor: pointer;
font: inherit; margin-top: 0.5rem; min-height: 2.75rem; padding: 0.5rem 1rem; }
button:focus-visible { outline: 0.1875rem solid Highlight; outline-offset: 0.125rem; }
`;

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Policy of the page: nothing is loaded or run, and forms go nowhere else. */
export const PLAIN_PAGE_POLICY = policyWith(`style-src ${STYLE_SOURCE}`);

/** Policy of a page of the host: styles and images are allowed, too. */
export const OTHER_PAGE_POLICY = policyWith(
  "style-src 'unsafe-inline' https:",
  'img-src data: https:',
  'font-src https:',
);

function policyWith(...rules: readonly string[]): string {
  return ["default-src 'none'", ...rules, "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"].join('; ');
}

/** The library's page: plain html, one form for each choice. */
export class PlainPage implements UnsubscribePage {
  render({ language, texts, address, topics, isOutOfAll, change }: UnsubscribePageData): string {
    const [first] = topics;
    const ofEmail = first?.isOfEmail ? first : undefined;
    const others = ofEmail ? topics.slice(1) : topics;
    const message = change && messageOf(change, texts);
    return page({ language, texts }, message ?? texts.title, [
      `<h1>${escapedHtml(texts.title)}</h1>`,
      message === null ? '' : `<p role="status">${escapedHtml(message)}</p>`,
      `<p>${escapedHtml(filled(texts.reader, { address: maskedAddress(address) }))}</p>`,
      isOutOfAll && change?.kind !== 'unsubscribed_from_all' ? `<p>${escapedHtml(texts.outOfAll)}</p>` : '',
      ofEmail ? `<section>${topicOf(ofEmail, 0, 'h2', texts)}</section>` : '',
      others.length > 0 ? listOf(others, ofEmail !== undefined, texts) : '',
      topics.length === 0 ? `<p>${escapedHtml(texts.noTopics)}</p>` : '',
      isOutOfAll ? '' : everything(texts),
    ]);
  }

  renderInvalid({ language, texts }: PageLanguage): string {
    return page({ language, texts }, texts.invalidTitle, [
      `<h1>${escapedHtml(texts.invalidTitle)}</h1>`,
      `<p>${escapedHtml(texts.invalidText)}</p>`,
    ]);
  }
}

function messageOf(change: ReaderChange, texts: UnsubscribeTexts): string {
  switch (change.kind) {
    case 'subscribed':
      return filled(texts.nowSubscribed, { topic: change.topic });
    case 'unsubscribed':
      return filled(texts.nowUnsubscribed, { topic: change.topic });
    case 'unsubscribed_from_all':
      return texts.nowUnsubscribedFromAll;
    default:
      return texts.notChanged;
  }
}

function listOf(topics: readonly ReaderTopic[], isBehindOther: boolean, texts: UnsubscribeTexts): string {
  const heading = isBehindOther ? `<h2>${escapedHtml(texts.otherTopics)}</h2>` : '';
  const level = isBehindOther ? 'h3' : 'h2';
  const items = topics.map((topic, at) => `<li>${topicOf(topic, at + 1, level, texts)}</li>`);
  return `<section>${heading}<ul>${items.join('\n')}</ul></section>`;
}

/** @param at number of the topic on the page: the name of a button is its text and the topic */
function topicOf(
  { id, name, description, isSubscribed }: ReaderTopic,
  at: number,
  level: 'h2' | 'h3',
  texts: UnsubscribeTexts,
): string {
  const [choice, action] = isSubscribed ? ['opt_out', texts.unsubscribe] : ['opt_in', texts.subscribe];
  return `<${level} id="t${at}">${escapedHtml(name)}</${level}>
${description === null ? '' : `<p>${escapedHtml(description)}</p>`}
<p>${escapedHtml(isSubscribed ? texts.subscribed : texts.notSubscribed)}</p>
<form method="post"><input type="hidden" name="choice" value="${choice}">
<button id="b${at}" name="topic" value="${id}" aria-labelledby="b${at} t${at}">${escapedHtml(action)}</button></form>`;
}

function everything(texts: UnsubscribeTexts): string {
  return `<section><h2>${escapedHtml(texts.everything)}</h2>
<p>${escapedHtml(texts.everythingHint)}</p>
<form method="post"><button name="all" value="1">${escapedHtml(texts.unsubscribeFromAll)}</button></form></section>`;
}

function page({ language, texts }: PageLanguage, title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="${escapedHtml(language)}" dir="${texts.direction ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}
