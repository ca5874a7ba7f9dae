import { useRef } from 'react';
import { useDebounced } from '../../hooks/use-debounced';
import { useUrlState } from '../../hooks/use-url-state';
import { plainName } from '../../parts/plain-name';
import { Tabs } from '../../parts/tabs';
import type { EditedTemplate } from './edited-template';
import type { Samples } from './edited-variables';
import { PreviewFrame } from './preview-frame';
import { fillTemplateText } from './template-text';
import { TEXTS } from './texts';

const texts = TEXTS.preview;

/** Delay after the last key. Milliseconds. */
const REST = 300;

const VIEWS = [
  { name: 'full', title: texts.desktop },
  { name: 'phone', title: texts.phone },
  { name: 'text', title: texts.text },
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
    <section className="template-preview" aria-label={texts.title}>
      <p className="subject" aria-live="off">
        <span className="soft">{TEXTS.subject}</span>{' '}
        {subject === '' ? <span className="soft">{texts.noSubject}</span> : <bdi>{plainName(filled(subject))}</bdi>}
      </p>
      {hasFaults && <p className="template-notice">{texts.waits}</p>}
      {!hasFaults && samples.missing.length > 0 && <p className="soft">{texts.missing(samples.missing)}</p>}
      <Tabs<View>
        label={texts.as}
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
  return <p className="soft">{hasHtml ? texts.textDerived : texts.noText}</p>;
}
