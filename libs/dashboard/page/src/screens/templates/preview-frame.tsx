import { useEffect, useId, useRef, useState } from 'react';
import { MOUNT } from '../../api/client';
import { TEXTS } from './texts';

interface PreviewFrameProps {
  html: string;
  text: string;
  subject: string;
  variables: Readonly<Record<string, string | number>>;
  /** Pixels; undefined: the available width. */
  width: number | undefined;
}

/** Permissions of a frame, within the answer's own policy. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/**
 * The html rendered by the server. Each preview is a new frame, which replaces the previous one after it has loaded:
 * nothing flickers, the browser's history does not change, and the scroll position is outside of the frame.
 */
export function PreviewFrame({ html, text, subject, variables, width }: PreviewFrameProps) {
  const name = `preview${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  /** A frame first loads an empty document; the next load is the answer. */
  const submitted = useRef(0);
  const [asked, setAsked] = useState(0);
  const [shown, setShown] = useState(0);
  const values = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them triggers a request
  useEffect(() => setAsked((before) => before + 1), [html, text, subject, values]);
  useEffect(() => {
    if (asked === 0) return;
    submitted.current = asked;
    form.current?.submit();
  }, [asked]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section className="template-preview-paper" aria-label={TEXTS.preview.frame} tabIndex={0}>
      <form ref={form} method="post" action={`${MOUNT}frames/template`} target={`${name}-${asked}`} hidden>
        <textarea name="html" value={html} readOnly />
        <textarea name="text" value={text} readOnly />
        <textarea name="subject" value={subject} readOnly />
        <textarea name="variables" value={values} readOnly />
      </form>
      {[shown, asked]
        .filter(isFirst)
        .map(
          (number) =>
            number > 0 && (
              <iframe
                key={number}
                name={`${name}-${number}`}
                title={TEXTS.preview.title}
                className={number === shown ? undefined : 'coming'}
                style={width === undefined ? undefined : { width }}
                sandbox={SANDBOX}
                referrerPolicy="no-referrer"
                onLoad={() => submitted.current === number && setShown(number)}
              />
            ),
        )}
    </section>
  );
}

function isFirst<T>(value: T, index: number, values: readonly T[]): boolean {
  return values.indexOf(value) === index;
}
