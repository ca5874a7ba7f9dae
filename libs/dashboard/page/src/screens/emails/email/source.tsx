import { useMutation, useQuery } from '@tanstack/react-query';
import { fetchMounted } from '../../../api/client';
import { Problem } from '../../../parts/problem';
import { sizeOf } from '../../../parts/sizes';
import { headersOf } from './source-headers';

/** Limit of a shown source. Bytes. */
const SHOWN = 512_000;

interface SourceText {
  text: string;
  isWhole: boolean;
}

function useSource(id: string) {
  return useQuery({
    queryKey: ['emails', 'source', id],
    queryFn: ({ signal }) => readSource(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** The header of the email as it is sent. */
export function Headers({ id }: { id: string }) {
  const { data, error } = useSource(id);
  if (error) return <Problem what="The headers could not be read" error={error} />;
  return (
    <dl className="mono">
      {headersOf(data?.text ?? '').map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: headers have an order, and may repeat
        <div key={at} className="header-line">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The email as it is sent, byte for byte (RFC 5322). */
export function Source({ id }: { id: string }) {
  const { data, error } = useSource(id);
  const saving = useMutation({ mutationFn: () => download(id) });
  if (error) return <Problem what="The source could not be read" error={error} />;
  if (!data) return <p className="only-read">Loading</p>;
  return (
    <div className="stack">
      <div className="bar">
        {!data.isWhole && <span className="soft">These are the first {sizeOf(SHOWN)}.</span>}
        <button type="button" className="end" disabled={saving.isPending} onClick={() => saving.mutate()}>
          Download
        </button>
      </div>
      {saving.error && <Problem what="The source was not downloaded" error={saving.error} />}
      <pre className="source">{data.text}</pre>
    </div>
  );
}

async function readSource(id: string, signal: AbortSignal): Promise<SourceText> {
  const response = await fetchMounted('GET', `api/emails/${id}/source`, { signal });
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (reader && size < SHOWN) {
    const { done, value } = await reader.read();
    isWhole = done;
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return { text: await new Blob(chunks as BlobPart[]).text(), isWhole };
}

/** Each request of the page has more than a cookie, which a plain link cannot send. */
async function download(id: string): Promise<void> {
  const response = await fetchMounted('GET', `api/emails/${id}/source`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${id}.eml`;
  link.click();
  URL.revokeObjectURL(link.href);
}
