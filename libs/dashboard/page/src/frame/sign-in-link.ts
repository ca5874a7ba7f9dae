import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { signIn } from '../api/session';

/** The code of a link that signs in once, from the fragment of an address, which no server and no log sees. */
export function codeOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') || undefined;
}

/** Takes the code out of the address bar, whatever becomes of it. */
export function takeCode(): string | undefined {
  const code = codeOf(location.hash);
  if (/^#code=/.test(location.hash)) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}

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
