import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Template } from '../../api/types';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { PagedList } from '../../parts/paged-list';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { readDraft } from './browser-store';
import { NewTemplate } from './new-template';
import { TemplateState } from './template-state';
import { TEXTS } from './texts';

const EXAMPLE = { name: 'Welcome', subject: 'Welcome, {{NAME}}', html: '<h1>Welcome, {{NAME}}</h1>' };

/** All templates, newest first. */
export function TemplateList() {
  const [isMaking, setMaking] = useState(false);
  const pages = usePages<Template>('templates', { limit: 20 });
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <OnlyFor needs="admin">
          <button type="button" className="primary end" onClick={() => setMaking(true)}>
            {TEXTS.new}
          </button>
        </OnlyFor>
      </ScreenHead>
      <PagedList
        pages={pages}
        failure={TEXTS.notListed}
        meaning={TEXTS.notListedMeaning}
        empty={<NoTemplates />}
        label={TEXTS.list}
        idOf={({ id }) => id}
        row={(template) => <TemplateRow template={template} />}
        hrefOf={({ id }) => `/templates/${id}`}
      />
      {isMaking && <NewTemplate onClose={() => setMaking(false)} />}
    </>
  );
}

function TemplateRow({ template }: { template: Template }) {
  const { id, name, alias, subject, updated_at: updatedAt } = template;
  return (
    <Row
      title={<bdi>{plainName(name)}</bdi>}
      second={
        <>
          {readDraft(id) && <span>{TEXTS.notSavedHere}</span>}
          {alias !== null && <span className="mono one-line">{alias}</span>}
          <bdi className="one-line">{plainName(subject ?? '')}</bdi>
        </>
      }
      time={<Time value={updatedAt} />}
      mark={<TemplateState template={template} />}
    />
  );
}

function NoTemplates() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      icon={LayoutTemplate}
      title={TEXTS.empty.title}
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'templates', EXAMPLE)}
    >
      <p>{TEXTS.empty.text}</p>
    </Empty>
  );
}
