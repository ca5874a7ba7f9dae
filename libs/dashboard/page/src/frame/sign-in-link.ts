import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { signIn } from '../api/session';
import { consumeCode } from './sign-in-code';

/**
 * Signs in with one-time links: the one that opened the page, and later ones opened in a tab of the page.
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
    const onHashChange = () => enter(consumeCode());
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, [mutate]);
  return {
    /**
     * True until the link that opened the page is answered: until then it is unknown whether a visitor is signed in.
     */
    isOpening,
    isPending,
    error,
  };
}
