import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { sessionQuery } from '../../../api/session';
import { curlOf } from '../../../parts/curl';
import { Empty } from '../../../parts/empty';
import { TEXTS } from '../texts';

const texts = TEXTS.empty;

const EXAMPLE = {
  from: 'You <you@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
};

/** Takes the place of the rows when there are none. */
export function NoEmails({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  if (isFiltered) {
    return (
      <Empty icon={SearchX} title={texts.noMatch}>
        <p>{texts.noMatchText}</p>
        <div>
          <button type="button" onClick={onClear}>
            {texts.clear}
          </button>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title={texts.title} curl={curlOf(session?.apiUrl ?? '', 'POST', 'emails', EXAMPLE)}>
      <p>{texts.text}</p>
    </Empty>
  );
}
