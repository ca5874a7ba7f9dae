import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Template } from '../../api/types';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import { readDraft } from './browser-store';
import { NewTemplate } from './new-template';
import { TemplateState } from './template-state';

const EXAMPLE = { name: 'Welcome', subject: 'Welcome, {{NAME}}', html: '<h1>Welcome, {{NAME}}</h1>' };

/** All templates, newest first. */
export function TemplateList() {
  const { data: session } = useQuery(sessionQuery);
  const [isMaking, setMaking] = useState(false);
  const { items, error, isPending, hasNextPage, needMore, refetch } = usePages<Template>('templates', { limit: 20 });
  return (
    <>
      <ScreenHead title="Templates">
        <OnlyFor needs="admin">
          <button type="button" className="primary end" onClick={() => setMaking(true)}>
            New template
          </button>
        </OnlyFor>
      </ScreenHead>
      {error && <Problem what="The templates could not be listed" error={error} onRetry={() => void refetch()} />}
      {!error && !isPending && items.length === 0 ? (
        <Empty title="No templates yet" curl={curlOf(session?.apiUrl ?? '', 'POST', 'templates', EXAMPLE)}>
          <p>Emails are made from templates, with values for their variables. Create one here, or with the API:</p>
        </Empty>
      ) : (
        <VirtualList
          label="Templates"
          items={items}
          idOf={({ id }) => id}
          rowHeight={56}
          row={(template) => <Row template={template} />}
          hrefOf={({ id }) => `/templates/${id}`}
          hasMore={hasNextPage}
          onNeedMore={needMore}
        />
      )}
      {isMaking && <NewTemplate onClose={() => setMaking(false)} />}
    </>
  );
}

function Row({ template }: { template: Template }) {
  return (
    <span className="template-row">
      <span className="name one-line">
        {template.name}
        {template.alias !== null && <span className="soft mono"> {template.alias}</span>}
      </span>
      <span className="soft when">
        {readDraft(template.id) && 'not saved here · '}
        <Time value={template.updated_at} />
      </span>
      <TemplateState template={template} />
    </span>
  );
}
