import { type RefObject, useEffect, useRef } from 'react';

/** For a form: once it was refused, its first wrong field has the focus, so that what is wrong is read out. */
export function useFocusOnProblem(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
