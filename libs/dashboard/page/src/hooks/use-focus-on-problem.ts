import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the first invalid field of a refused form, so that a screen reader reads the problem. */
export function useFocusOnProblem(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
