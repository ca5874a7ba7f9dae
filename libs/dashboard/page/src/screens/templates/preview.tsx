import { useRef } from 'react';
import { useDebounced } from '../../hooks/use-debounced';
import { useUrlState } from '../../hooks/use-url-state';
import { Tabs } from '../../parts/tabs';
import type { EditedTemplate } from './edited-template';
import type { Samples } from './edited-variables';
import { PreviewFrame } from './preview-frame';
import { fillTemplateText } from './template-text';

/** Delay after the last key. Milliseconds. */
const REST = 300;

const VIEWS = [
  { name: 'full', title: 'Html' },
  { name: 'phone', title: 'Phone' },
  { name: 'text', title: 'Text' },
] as const;

type View = (typeof VIEWS)[number]['name'];

interface PreviewProps {
  fields: EditedTemplate;
  samples: Samples;
  hasFaults: boolean;
}

/** An email of the template with the sample values; with faults, the last one without. */
export function Preview({ fields, samples, hasFaults }: PreviewProps) {
  const [url, changeUrl] = useUrlState();
  const view = VIEWS.find(({ name }) => name === url.get('view'))?.name ?? 'full';
  const now = useDebounced(fields, REST);
  const values = useDebounced(samples.shown, REST);
  const last = useRef({ fields: now, values });
  if (!hasFaults) last.current = { fields: now, values };
  const { subject, html, text } = last.current.fields;
  const filled = (source: string) => fillTemplateText(source, last.current.values);
  return (
    <section className="template-preview" aria-label="Preview">
      <p className="subject" aria-live="off">
        <span className="soft">Subject</span> {subject === '' ? <span className="soft">none</span> : filled(subject)}
      </p>
      {hasFaults && <p className="template-notice">The preview waits until the problems are fixed.</p>}
      {!hasFaults && samples.missing.length > 0 && (
        <p className="soft">
          No value for {samples.missing.join(', ')}:{' '}
          {samples.missing.length > 1 ? 'the names are shown instead.' : 'its name is shown instead.'}
        </p>
      )}
      <Tabs<View>
        label="Preview as"
        tabs={VIEWS}
        chosen={view}
        onChoose={(name) => changeUrl({ view: name === 'full' ? null : name })}
      >
        {view === 'text' ? (
          <TextPreview text={filled(text)} hasHtml={html !== ''} />
        ) : (
          <PreviewFrame
            html={html}
            text={text}
            subject={subject}
            variables={last.current.values}
            width={view === 'phone' ? 375 : undefined}
          />
        )}
      </Tabs>
    </section>
  );
}

function TextPreview({ text, hasHtml }: { text: string; hasHtml: boolean }) {
  if (text !== '') return <pre className="template-text-preview">{text}</pre>;
  return (
    <p className="soft">
      {hasHtml ? 'The text is derived from the html when an email is sent.' : 'There is no text yet.'}
    </p>
  );
}
