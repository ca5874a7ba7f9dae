import { useEffect } from 'react';

/** What every title of the page ends with. */
const NAME = 'Emails';

/** The title of the tab, while this is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === NAME ? NAME : `${title} · ${NAME}`;
  }, [title]);
}
