import { type RefObject, useEffect } from 'react';

/**
 * The focused element may disappear: a deleted row, a button of an action that is no longer possible. Then the heading
 * of its container gets the focus.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = main;
    if (!current) return undefined;
    let around: Element[] = [];
    const note = ({ target }: FocusEvent) => {
      around = target instanceof Element ? ancestorsOf(target) : [];
    };
    const moveFocus = () => {
      if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
      const left = around.filter((element) => element.isConnected && current.contains(element));
      around = [];
      const heading = left.map(headingIn).find((found) => found !== undefined);
      if (!heading) return;
      if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
      heading.focus();
    };
    // Deferred, so that components with a better target go first.
    const observer = new MutationObserver(() => setTimeout(moveFocus));
    document.addEventListener('focusin', note);
    observer.observe(current, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [main]);
}

function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement;
  return parent ? [element, ...ancestorsOf(parent)] : [element];
}

function headingIn(element: Element): HTMLElement | undefined {
  const headings = [...element.querySelectorAll<HTMLElement>('h1, h2')];
  return headings.find((heading) => heading.checkVisibility() && !heading.closest('dialog'));
}
