import { useEffect } from 'react';

let isFirst = true;

/** Lets the next screen count as another one, though the first may still be loading. */
export function leaveFirst(): void {
  isFirst = false;
}

/** Moves the focus to a screen's heading when the screen is shown, except for the first one of the page. */
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
