import { useQuery } from '@tanstack/react-query';
import { fetchMounted, MOUNT } from '../../api/client';
import { Problem } from '../../parts/problem';
import { sizeOf } from '../../parts/sizes';
import { pathOf } from './inbox-api';
import { TEXTS } from './texts';

interface SourceProps {
  id: string;
  /** Size of the whole source. Bytes. */
  size: number;
}

/** The server's limit for display; the file has everything. Bytes. */
const SHOWN = 1_000_000;

/** The message in its wire format; only the beginning of a large one. */
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
          {TEXTS.download}
        </a>
        <span className="soft">
          {sizeOf(size)}
          {size > SHOWN && TEXTS.sourceCut(sizeOf(SHOWN))}
        </span>
      </div>
      {error && <Problem what={TEXTS.sourceNotRead} error={error} onRetry={() => void refetch()} />}
      {text !== undefined && <pre className="stranger">{text}</pre>}
    </div>
  );
}
