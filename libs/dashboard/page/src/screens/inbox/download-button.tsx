import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { download } from '../../api/download';
import { Problem } from '../../parts/problem';

interface DownloadButtonProps {
  /** Below the mount path. */
  path: string;
  fileName: string;
  /** What it is, for the button's name. */
  what: string;
  children: ReactNode;
}

/** Has the browser keep something as a file; nothing of it is opened here. */
export function DownloadButton({ path, fileName, what, children }: DownloadButtonProps) {
  const fetching = useMutation({ mutationFn: () => download(path, fileName) });
  return (
    <>
      <button
        type="button"
        aria-label={`Download ${what}`}
        disabled={fetching.isPending}
        onClick={() => fetching.mutate()}
      >
        {children}
      </button>
      {fetching.error && <Problem what="It could not be downloaded" error={fetching.error} />}
    </>
  );
}
