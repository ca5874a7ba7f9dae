import { useQuery } from '@tanstack/react-query';
import { fetchMounted, MOUNT } from '../../api/client';
import { Problem } from '../../parts/problem';
import { sizeOf } from '../../parts/sizes';
import { pathOf } from './inbox-api';

interface SourceProps {
  id: string;
  /** Of all of it. Bytes. */
  size: number;
}

/** The most that the server shows; a file has all of it. Bytes. */
const SHOWN = 1_000_000;

/** The message as it came over the wire; of a large one its beginning. */
export function Source({ id, size }: SourceProps) {
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
        <a className="button" href={`${MOUNT}${pathOf(id)}/source?download=1`} download>
          Download
        </a>
        <span className="soft">
          {sizeOf(size)}
          {size > SHOWN && `, of which ${sizeOf(SHOWN)} is shown`}
        </span>
      </div>
      {error && <Problem what="The source could not be read" error={error} onRetry={() => void refetch()} />}
      {text !== undefined && <pre className="stranger">{text}</pre>}
    </div>
  );
}
