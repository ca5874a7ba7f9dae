import { useMemo } from 'react';
import { CopyButton } from '../../../../parts/copyable';
import { sizeOf } from '../../../../parts/sizes';
import { TEXTS } from '../texts';
import { piecesOf } from './highlight';

/** Longer html has no colours: each piece of it is an element of the page. Characters. */
const COLOURED = 200_000;
/** Limit of shown html; a copy is whole. Characters. */
const SHOWN = 1_000_000;

/** The html as text, with colours. */
export function HtmlCode({ html }: { html: string | null }) {
  if (html === null || html === '') return <p className="soft">{TEXTS.nothing.noHtml}</p>;
  return (
    <div className="stack">
      <div className="bar">
        <span className="soft">{noteOn(html.length)}</span>
        <span className="end">
          <CopyButton value={html} what={TEXTS.htmlCode} />
        </span>
      </div>
      <pre className="source html-code">{html.length > COLOURED ? html.slice(0, SHOWN) : <Coloured html={html} />}</pre>
    </div>
  );
}

function noteOn(length: number): string {
  if (length > SHOWN) return TEXTS.cutHtml(SHOWN, length);
  return length > COLOURED ? TEXTS.plainHtml(length) : sizeOf(length);
}

function Coloured({ html }: { html: string }) {
  return useMemo(
    () =>
      piecesOf(html).map(({ kind, text }, at) =>
        kind === 'text' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have an order and nothing else
          <span key={at} className={kind}>
            {text}
          </span>
        ),
      ),
    [html],
  );
}
