import { useEffect } from 'react';

/** End of every title of the page. */
const NAME = 'Emails';

/** Sets the title of the tab while this is mounted, and restores the former one. */
export function useTitle(title: string): void {
  useEffect(() => {
    const former = document.title;
    document.title = title === NAME ? NAME : `${title} · ${NAME}`;
    return () => {
      document.title = former;
    };
  }, [title]);
}
