import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the first invalid field of a refused form, so that a screen reader reads the problem. */
export function useFocusOnProblem<Form extends HTMLElement = HTMLFormElement>(error: unknown): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
