import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useUrlState } from '../../hooks/use-url-state';
import { Copyable, shortId } from '../../parts/copyable';
import { Field } from '../../parts/field';
import { OnlyFor } from '../../parts/only-for';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Tabs } from '../../parts/tabs';
import { Time } from '../../parts/time';
import { useMay } from '../../parts/use-may';
import { keepSamples, readSamples } from './browser-store';
import { DetailsFields } from './details-fields';
import { type EditedTemplate, keysOf } from './edited-template';
import { samplesOf, shownVariables, withVariable, wrongValue } from './edited-variables';
import { DeleteDialog, DiscardDialog, OverwriteDialog, PublishDialog } from './editor-dialogs';
import { Preview } from './preview';
import { SendTest } from './send-test';
import { SourceField } from './source-field';
import { TemplateState } from './template-state';
import { type Fault, readTemplateText } from './template-text';
import { OvertakenError, type TemplateEditing, useTemplateEditing } from './use-template-editing';
import { VariablesTable } from './variables-table';

const PARTS = [
  { name: 'html', title: 'Html' },
  { name: 'text', title: 'Text' },
  { name: 'details', title: 'Details' },
] as const;

type Part = (typeof PARTS)[number]['name'];
type Asking = 'publish' | 'delete' | 'overwrite' | 'discard' | 'test';

/** One template: its source, and next to it the preview. */
export function TemplateEditor({ id }: { id: string }) {
  const editing = useTemplateEditing(id);
  const [, navigate] = useLocation();
  useShortcuts({ Escape: () => navigate('/templates') });
  const { query, template, fields } = editing;
  return (
    <>
      {query.error && !template && (
        <>
          <ScreenHead title="Template">
            <Link href="/templates" className="end">
              ← Templates
            </Link>
          </ScreenHead>
          <Problem what="The template could not be read" error={query.error} onRetry={() => void query.refetch()} />
        </>
      )}
      {template && fields && <Editor editing={editing} template={template} fields={fields} />}
    </>
  );
}

interface EditorProps {
  editing: TemplateEditing;
  template: Template;
  fields: EditedTemplate;
}

function Editor({ editing, template, fields }: EditorProps) {
  const { change, isChanged, isOvertaken, saving, publishing } = editing;
  const [url, changeUrl] = useUrlState();
  const part = PARTS.find(({ name }) => name === url.get('part'))?.name ?? 'html';
  const [asking, setAsking] = useState<Asking>();
  const may = useMay();
  const [kept, setKept] = useState(() => readSamples(template.id));

  const readings = useMemo(
    () => ({
      subject: readTemplateText(fields.subject),
      html: readTemplateText(fields.html),
      text: readTemplateText(fields.text),
    }),
    [fields.subject, fields.html, fields.text],
  );
  const variables = useMemo(() => shownVariables(fields.variables, keysOf(fields).keys()), [fields]);
  const samples = useMemo(() => samplesOf(variables, kept), [variables, kept]);
  const hasFaults = Object.values(readings).some(({ faults }) => faults.length > 0);
  const hasWrongFallback = variables.some(({ type, fallback }) => fallback !== null && wrongValue(type, fallback));
  const mayBeSaved = !hasFaults && !hasWrongFallback && fields.name.trim() !== '';
  const news = new Set(variables.filter(({ isNew }) => isNew).map(({ key }) => key));
  const noticesOf = (name: 'html' | 'text'): Fault[] =>
    [...readings[name].keys]
      .filter(([key]) => news.has(key))
      .map(([key, line]) => ({ line, message: `${key} is not declared yet: saving the draft declares it.` }));

  const save = () => {
    if (!isChanged || !mayBeSaved || saving.isPending || !may('admin')) return;
    if (isOvertaken) setAsking('overwrite');
    else saving.mutate({ overwrites: false });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  const setSample = (key: string, value: string) => {
    const { [key]: _, ...others } = kept;
    const next = value === '' ? others : { ...others, [key]: value };
    setKept(next);
    keepSamples(template.id, next);
  };
  const close = () => setAsking(undefined);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S applies to every focused element in here
    <div className="template-editor" onKeyDown={onKeyDown}>
      <ScreenHead title={template.name}>
        <Link href="/templates" className="back">
          ← Templates
        </Link>
        <TemplateState template={template} />
        <Copyable value={template.id} what="the id" shown={shortId(template.id)} />
        <OnlyFor needs="admin">
          <div className="bar end">
            <button
              type="button"
              className="primary"
              disabled={!isChanged || !mayBeSaved || saving.isPending}
              onClick={save}
            >
              Save draft
            </button>
            <button
              type="button"
              disabled={!mayBeSaved || isOvertaken || (!isChanged && !template.has_unpublished_versions)}
              onClick={() => setAsking('publish')}
            >
              Publish
            </button>
            <button type="button" disabled={!mayBeSaved} onClick={() => setAsking('test')}>
              Send a test
            </button>
            <Duplicate template={template} />
            <button type="button" className="danger" onClick={() => setAsking('delete')}>
              Delete
            </button>
          </div>
        </OnlyFor>
      </ScreenHead>
      <Standing editing={editing} template={template} onDiscard={() => setAsking('discard')} />
      <Refusals editing={editing} />
      <div className="template-halves">
        <div className="template-source-half">
          <Field label="Subject" error={readings.subject.faults[0]?.message}>
            {(ids) => (
              <input
                {...ids}
                value={fields.subject}
                maxLength={998}
                onChange={({ target }) => change({ subject: target.value })}
              />
            )}
          </Field>
          <Tabs<Part>
            label="Parts of the template"
            tabs={PARTS.map(({ name, title }) => ({
              name,
              title: name !== 'details' && readings[name].faults.length > 0 ? `${title} ✕` : title,
            }))}
            chosen={part}
            onChoose={(name) => changeUrl({ part: name === 'html' ? null : name })}
          >
            {part === 'details' ? (
              <DetailsFields fields={fields} onChange={change} />
            ) : (
              <SourceField
                key={part}
                label={part === 'html' ? 'Html source' : 'Text source'}
                value={fields[part]}
                faults={readings[part].faults}
                notices={noticesOf(part)}
                placeholder={part === 'html' ? '<h1>Welcome, {{NAME}}</h1>' : 'Empty: derived from the html'}
                onChange={(value) => change({ [part]: value })}
              />
            )}
          </Tabs>
          <VariablesTable
            variables={variables}
            samples={kept}
            onChange={(variable) => change({ variables: withVariable(fields.variables, variable) })}
            onRemove={(key) => change({ variables: fields.variables.filter((variable) => variable.key !== key) })}
            onSample={setSample}
          />
        </div>
        <Preview fields={fields} samples={samples} hasFaults={hasFaults} />
      </div>
      {asking === 'publish' && <PublishDialog template={template} editing={editing} onClose={close} />}
      {asking === 'delete' && <DeleteDialog template={template} editing={editing} onClose={close} />}
      {asking === 'overwrite' && <OverwriteDialog editing={editing} onClose={close} />}
      {asking === 'discard' && <DiscardDialog editing={editing} onClose={close} />}
      {asking === 'test' && (
        <SendTest
          templateId={template.id}
          fields={fields}
          samples={samples}
          isPublished={!isChanged && template.status === 'published' && !template.has_unpublished_versions}
          onClose={close}
        />
      )}
      <p className="only-read" role="status">
        {saving.isSuccess && !isChanged && 'Saved.'} {publishing.isSuccess && !isChanged && 'Published.'}
      </p>
    </div>
  );
}

interface StandingProps {
  editing: TemplateEditing;
  template: Template;
  onDiscard: () => void;
}

/** Whether the shown version is saved, published, or outdated. One line, always present. */
function Standing({ editing, template, onDiscard }: StandingProps) {
  const { isChanged, isOvertaken, isKept, keptAt } = editing;
  return (
    <div className={isOvertaken || !isKept ? 'template-standing template-notice' : 'template-standing'}>
      {isChanged ? (
        <>
          <span>
            {isOvertaken && (
              <>
                Another user saved this template <Time value={template.updated_at} />.{' '}
              </>
            )}
            {isKept ? (
              <>
                Not saved. Kept in this browser since <Time value={keptAt} />.
              </>
            ) : (
              'Not saved, and the storage of this browser is full: leaving loses the changes.'
            )}
          </span>
          <button type="button" className="quiet" onClick={onDiscard}>
            {isOvertaken ? 'Use theirs' : 'Discard'}
          </button>
        </>
      ) : (
        <span className="soft">
          Saved <Time value={template.updated_at} />
          {template.published_at !== null && (
            <>
              , published <Time value={template.published_at} />
            </>
          )}
        </span>
      )}
    </div>
  );
}

function Refusals({ editing: { saving, publishing, isOvertaken } }: { editing: TemplateEditing }) {
  const isOfOthers = (error: unknown) => error instanceof OvertakenError;
  return (
    <>
      {saving.error && !isOfOthers(saving.error) && (
        <Problem
          what="The draft could not be saved"
          error={saving.error}
          meaning="It is still here. Emails are made from the published version, as before."
        />
      )}
      {publishing.error && !isOfOthers(publishing.error) && (
        <Problem
          what="The template could not be published"
          error={publishing.error}
          meaning="Emails are made from the previously published version."
        />
      )}
      {(isOfOthers(saving.error) || isOfOthers(publishing.error)) && (
        <p className="template-notice said" role="alert">
          {isOvertaken
            ? 'Nothing was saved: another user saved first. Save again to replace their version, or use theirs.'
            : 'Nothing was published: another user just changed it. Look at it, then publish.'}
        </p>
      )}
    </>
  );
}

function Duplicate({ template }: { template: Template }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const duplicating = useMutation({
    mutationFn: () => api<Template>('POST', `templates/${template.id}/duplicate`),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['list', 'templates'] });
      navigate(`/templates/${id}`);
    },
  });
  return (
    <>
      <button type="button" disabled={duplicating.isPending} onClick={() => duplicating.mutate()}>
        Duplicate
      </button>
      {duplicating.error && <Problem what="The template could not be duplicated" error={duplicating.error} />}
    </>
  );
}
