import { useEffect, useId, useRef, useState } from 'react';
import { MOUNT } from '../../api/client';

interface PreviewFrameProps {
  html: string;
  text: string;
  subject: string;
  variables: Readonly<Record<string, string | number>>;
  /** Pixels; undefined is as wide as there is room. */
  width: number | undefined;
}

/** What a frame may do, beside what the answer's own policy forbids. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/**
 * The html as the server renders it. Each look at it is a frame of its own, put in place of the one before once it is
 * there: nothing flickers, the way back of the browser stays as it was, and what is scrolled is around the frame.
 */
export function PreviewFrame({ html, text, subject, variables, width }: PreviewFrameProps) {
  const name = `preview${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  /** A frame loads an empty document before anything else; what it loads after this is the answer. */
  const submitted = useRef(0);
  const [asked, setAsked] = useState(0);
  const [shown, setShown] = useState(0);
  const values = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them asks anew
  useEffect(() => setAsked((before) => before + 1), [html, text, subject, values]);
  useEffect(() => {
    if (asked === 0) return;
    submitted.current = asked;
    form.current?.submit();
  }, [asked]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="template-preview-paper" aria-label="Preview of the html" tabIndex={0}>
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
                title="Preview"
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
