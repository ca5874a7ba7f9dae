import { useEffect } from 'react';

let isFirst = true;

/** Stands behind a screen: leads the focus to its heading when it is shown, unless it is the first that the page shows. */
export function Arrival() {
  useEffect(() => {
    const wasFirst = isFirst;
    isFirst = false;
    if (wasFirst || document.activeElement?.closest('main, dialog')) return;
    const headings = [...document.querySelectorAll<HTMLElement>('main h1')];
    const heading = headings.find((candidate) => candidate.checkVisibility());
    (heading ?? document.querySelector<HTMLElement>('main'))?.focus();
  }, []);
  return null;
}
