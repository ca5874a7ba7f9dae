import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Email } from '../../../../api/types';
import { HeadersTable } from '../../../../parts/headers-table';
import { plainName } from '../../../../parts/plain-name';
import { Problem } from '../../../../parts/problem';
import { ListSkeleton } from '../../../../parts/skeleton';
import { downloadEml } from '../actions/download-eml';
import { TEXTS } from '../texts';
import { SHOWN_SOURCE, useHeaders, useSource } from './use-source';

/** The header of the email as it is sent, in its order. */
export function Headers({ id }: { id: string }) {
  const { data, error, refetch } = useHeaders(id);
  if (error) return <Problem what={TEXTS.headersNotRead} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  return (
    <HeadersTable
      caption={TEXTS.headers}
      columns={{ name: TEXTS.headerName, value: TEXTS.headerValue }}
      headers={data.map(({ name, value }) => ({ name: plainName(name), value: plainName(value) }))}
    />
  );
}

/** The email as it is sent, byte for byte (RFC 5322). */
export function Source({ email }: { email: Email }) {
  const { data, error, refetch } = useSource(email.id);
  const saving = useMutation({ mutationFn: () => downloadEml(email) });
  if (error) return <Problem what={TEXTS.sourceNotRead} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  return (
    <div className="stack">
      <div className="bar">
        {!data.isWhole && <span className="soft">{TEXTS.sourceCut(SHOWN_SOURCE)}</span>}
        <button type="button" className="end" disabled={saving.isPending} onClick={() => saving.mutate()}>
          <Download className="icon" size={14} aria-hidden="true" /> {TEXTS.download}
        </button>
      </div>
      {saving.error && <Problem what={TEXTS.actions.emlFailed} error={saving.error} />}
      <pre className="source">{data.text}</pre>
    </div>
  );
}
