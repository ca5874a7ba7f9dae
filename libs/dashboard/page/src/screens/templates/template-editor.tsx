import { ArrowLeft } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiProblem } from '../../api/client';
import type { Template } from '../../api/types';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useUrlState } from '../../hooks/use-url-state';
import { Copyable, shortId } from '../../parts/copyable';
import { Empty } from '../../parts/empty';
import { Field } from '../../parts/field';
import { Changeable } from '../../parts/only-for';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { DetailSkeleton } from '../../parts/skeleton';
import { Tabs } from '../../parts/tabs';
import { useMay } from '../../parts/use-may';
import { keepSamples, readSamples } from './browser-store';
import { DetailsFields } from './details-fields';
import { type EditedTemplate, keysOf } from './edited-template';
import { samplesOf, shownVariables, withVariable, wrongValue } from './edited-variables';
import { type Asking, EditorActions } from './editor-actions';
import { DeleteDialog, DiscardDialog, OverwriteDialog, PublishDialog } from './editor-dialogs';
import { Refusals, Standing } from './editor-notices';
import { Preview } from './preview';
import { SendTest } from './send-test';
import { SourceField } from './source-field';
import { TemplateState } from './template-state';
import { type Fault, readTemplateText } from './template-text';
import { TEXTS } from './texts';
import { type TemplateEditing, useTemplateEditing } from './use-template-editing';
import { VariablesTable } from './variables-table';

const PARTS = [
  { name: 'html', title: TEXTS.html },
  { name: 'text', title: TEXTS.text },
  { name: 'details', title: TEXTS.details },
] as const;

type Part = (typeof PARTS)[number]['name'];

/** One template: its source, and next to it the preview. */
export function TemplateEditor({ id }: { id: string }) {
  const editing = useTemplateEditing(id);
  const [, navigate] = useLocation();
  useShortcuts({ Escape: () => navigate('/templates') });
  const { query, template, fields } = editing;
  return (
    <>
      {!template && <Unread error={query.error} onRetry={() => void query.refetch()} />}
      {template && fields && <Editor editing={editing} template={template} fields={fields} />}
    </>
  );
}

/** Shown until the template was read. */
function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = error instanceof ApiProblem && [404, 422].includes(error.status);
  return (
    <>
      <ScreenHead title={TEXTS.one}>
        <Link href="/templates" className="end">
          {TEXTS.missing.all}
        </Link>
      </ScreenHead>
      {error == null && <DetailSkeleton />}
      {isMissing && (
        <Empty title={TEXTS.missing.title}>
          <p>{TEXTS.missing.text}</p>
        </Empty>
      )}
      {error != null && !isMissing && <Problem what={TEXTS.notRead} error={error} onRetry={onRetry} />}
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
      .map(([key, line]) => ({ line, message: TEXTS.undeclared(key) }));

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
      <ScreenHead title={plainName(template.name)}>
        <Link href="/templates" className="back">
          <ArrowLeft className="icon" size={14} aria-hidden="true" /> {TEXTS.back}
        </Link>
        <TemplateState template={template} />
        <Copyable value={template.id} what={TEXTS.theId} shown={shortId(template.id)} />
        <EditorActions editing={editing} template={template} mayBeSaved={mayBeSaved} onSave={save} onAsk={setAsking} />
      </ScreenHead>
      <Standing editing={editing} template={template} onDiscard={() => setAsking('discard')} />
      <Refusals editing={editing} />
      <div className="template-halves">
        <div className="template-source-half">
          <Field label={TEXTS.subject} error={readings.subject.faults[0]?.message}>
            {(ids) => (
              <input
                {...ids}
                value={fields.subject}
                maxLength={998}
                readOnly={!may('admin')}
                onChange={({ target }) => change({ subject: target.value })}
              />
            )}
          </Field>
          <Tabs<Part>
            label={TEXTS.parts}
            tabs={PARTS.map(({ name, title }) => ({
              name,
              title: name !== 'details' && readings[name].faults.length > 0 ? TEXTS.withProblem(title) : title,
            }))}
            chosen={part}
            onChoose={(name) => changeUrl({ part: name === 'html' ? null : name })}
          >
            {part === 'details' ? (
              <Changeable>
                <DetailsFields fields={fields} onChange={change} />
              </Changeable>
            ) : (
              <SourceField
                key={part}
                label={part === 'html' ? TEXTS.htmlSource : TEXTS.textSource}
                value={fields[part]}
                faults={readings[part].faults}
                notices={noticesOf(part)}
                placeholder={part === 'html' ? TEXTS.htmlExample : TEXTS.textExample}
                isReadOnly={!may('admin')}
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
        {saving.isSuccess && !isChanged && TEXTS.wasSaved} {publishing.isSuccess && !isChanged && TEXTS.wasPublished}
      </p>
    </div>
  );
}
