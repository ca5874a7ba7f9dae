import { useQuery } from '@tanstack/react-query';
import { fetchMounted } from '../../api/client';
import { Problem } from '../../parts/problem';
import { DownloadButton } from './download-button';
import { pathOf } from './inbox-api';

/** The message as it came over the wire; of a large one its beginning. */
export function Source({ id }: { id: string }) {
  const {
    data: text,
    error,
    refetch,
  } = useQuery({
    queryKey: ['inbox', 'source', id],
    queryFn: async ({ signal }) => (await fetchMounted('GET', `${pathOf(id)}/source`, { signal })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="stack">
      <div className="bar">
        <DownloadButton path={`${pathOf(id)}/source?download=1`} fileName={`${id}.eml`} what="the message">
          Download the message
        </DownloadButton>
        <span className="soft">Of a large message only the first megabyte is shown.</span>
      </div>
      {error && <Problem what="The source could not be read" error={error} onRetry={() => void refetch()} />}
      {text !== undefined && <pre className="stranger">{text}</pre>}
    </div>
  );
}
