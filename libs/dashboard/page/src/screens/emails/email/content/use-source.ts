import { useQuery } from '@tanstack/react-query';
import { fetchMounted } from '../../../../api/client';
import { headersOf } from './source-headers';

/** Limit of a shown source. Bytes. */
export const SHOWN_SOURCE = 512_000;

interface SourceText {
  text: string;
  isWhole: boolean;
}

const optionsOf = (id: string) => ({
  queryKey: ['emails', 'source', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => readSource(id, signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
});

/** The start of the email as it is sent (RFC 5322). */
export function useSource(id: string) {
  return useQuery(optionsOf(id));
}

/** The header of the email as it is sent. */
export function useHeaders(id: string) {
  return useQuery({ ...optionsOf(id), select: ({ text }) => headersOf(text) });
}

async function readSource(id: string, signal: AbortSignal): Promise<SourceText> {
  const response = await fetchMounted('GET', `api/emails/${id}/source`, { signal });
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (reader && size < SHOWN_SOURCE) {
    const { done, value } = await reader.read();
    isWhole = done;
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return { text: await new Blob(chunks as BlobPart[]).text(), isWhole };
}
