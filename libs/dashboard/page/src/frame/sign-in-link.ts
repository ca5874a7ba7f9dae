import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { signIn } from '../api/session';
import { takeCode } from './sign-in-code';

/**
 * Signs in by links that do so once: by that which opened the page, and by those that are opened in a tab that shows it.
 *
 * @param first the code that the page was opened with
 */
export function useSignInLink(first: string | undefined) {
  const client = useQueryClient();
  const [isOpening, setOpening] = useState(first !== undefined);
  const opened = useRef(first);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (code: string) => signIn({ code }, client),
    onSettled: () => setOpening(false),
  });
  useEffect(() => {
    const enter = (code: string | undefined) => {
      if (code !== undefined) mutate(code);
    };
    enter(opened.current);
    opened.current = undefined;
    const onHashChange = () => enter(takeCode());
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, [mutate]);
  return {
    /** While the link that opened the page is not answered: whether somebody is signed in is not known yet. */
    isOpening,
    isPending,
    error,
  };
}
