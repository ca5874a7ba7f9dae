import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Snippet } from '../../parts/snippet';
import type { Hint } from './inbox-api';
import { SimulatedAddresses } from './simulated-addresses';
import { TEXTS } from './texts';

const EXAMPLE = {
  from: 'Acme <acme@example.com>',
  to: 'jane@example.com',
  subject: 'Hello',
  html: '<p>It works.</p>',
};

interface InboxEmptyProps {
  search: string;
  hints: readonly Hint[];
}

/** Placeholder without a message. */
export function InboxEmpty({ search, hints }: InboxEmptyProps) {
  const { data: session } = useQuery(sessionQuery);
  if (search !== '') {
    return (
      <Empty title={TEXTS.noMatchTitle}>
        <p>{TEXTS.noMatchLead}</p>
      </Empty>
    );
  }
  return (
    <Empty title={TEXTS.emptyTitle}>
      <p>{TEXTS.emptyLead}</p>
      <Snippet
        label={TEXTS.example}
        texts={[{ name: 'curl', title: 'cURL', text: curlOf(session?.apiUrl ?? '', 'POST', 'emails', EXAMPLE) }]}
      />
      {hints.length > 0 && (
        <>
          <h3>{TEXTS.simulated}</h3>
          <SimulatedAddresses hints={hints} />
        </>
      )}
    </Empty>
  );
}
