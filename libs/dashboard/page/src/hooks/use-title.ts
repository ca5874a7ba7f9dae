import { useEffect } from 'react';

/** End of every title of the page. */
const NAME = 'Emails';

/** Sets the title of the tab while this is mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === NAME ? NAME : `${title} · ${NAME}`;
  }, [title]);
}
