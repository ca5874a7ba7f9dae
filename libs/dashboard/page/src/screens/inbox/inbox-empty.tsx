import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Snippet } from '../../parts/snippet';
import { HintList } from './hint-list';
import type { Hint } from './inbox-api';

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
      <Empty title="No matching messages">
        <p>Senders, recipients and subjects are searched, not the text.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No messages yet">
      <p>Emails that this host sends arrive here instead of at their recipients. This sends one:</p>
      <Snippet
        label="Send an email"
        texts={[{ name: 'curl', title: 'cURL', text: curlOf(session?.apiUrl ?? '', 'POST', 'emails', EXAMPLE) }]}
      />
      {hints.length > 0 && (
        <>
          <p>Some recipients have a special effect:</p>
          <HintList hints={hints} />
        </>
      )}
    </Empty>
  );
}
