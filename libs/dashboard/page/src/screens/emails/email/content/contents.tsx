import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Email, EmailAttachment } from '../../../../api/types';
import { useUrlState } from '../../../../hooks/use-url-state';
import { ContentsHidden } from '../../../../parts/only-for';
import { groundOf, StrangerFrame, widthOf } from '../../../../parts/stranger-frame';
import { Tabs } from '../../../../parts/tabs';
import { TEXTS } from '../texts';
import { Attachments } from './attachments';
import { Checks } from './checks';
import { HtmlCode } from './html-code';
import { checkMessage, problemsIn } from './message-checks';
import { Headers, Source } from './source';
import type { Standing } from './standing';

const NAMES = ['preview', 'text', 'html', 'headers', 'source', 'attachments', 'checks'] as const;
type TabName = (typeof NAMES)[number];

interface ContentsProps {
  email: Email;
  attachments: UseQueryResult<EmailAttachment[]>;
  standing: Standing;
}

/** The contents of an email in tabs. Each says why it shows nothing. */
export function Contents({ email, attachments, standing }: ContentsProps) {
  const { html, text } = email;
  const [state, change] = useUrlState();
  const checks = useMemo(() => checkMessage(html, text), [html, text]);
  const chosen = NAMES.find((name) => name === state.get('tab')) ?? 'preview';
  const counts = {
    attachments: attachments.data?.length ?? 0,
    checks: standing === 'shown' && (html !== null || text !== null) ? problemsIn(checks) : 0,
  };
  const nothing = reasonFor(standing, chosen);
  return (
    <Tabs
      label={TEXTS.content}
      tabs={NAMES.map((name) => ({ name, title: titleOf(name, counts) }))}
      chosen={chosen}
      onChoose={(name) => change({ tab: name === 'preview' ? null : name })}
    >
      {nothing ?? (
        <>
          {chosen === 'preview' && <Preview id={email.id} remoteImages={checks.remoteImages} />}
          {chosen === 'text' && <Text email={email} />}
          {chosen === 'html' && <HtmlCode html={html} />}
          {chosen === 'headers' && <Headers id={email.id} />}
          {chosen === 'source' && <Source email={email} />}
          {chosen === 'attachments' && <Attachments {...attachments} />}
          {chosen === 'checks' && <Checks email={email} checks={checks} />}
        </>
      )}
    </Tabs>
  );
}

function titleOf(name: TabName, counts: { attachments: number; checks: number }): string {
  if (name === 'attachments' || name === 'checks') return TEXTS.tabs[name](counts[name]);
  return TEXTS.tabs[name]();
}

/** The sentence in place of the content, if there is none to show. */
function reasonFor(standing: Standing, tab: TabName) {
  if (standing === 'role') return <ContentsHidden />;
  if (standing === 'sensitive' || standing === 'cleared') return <p className="soft">{TEXTS.nothing[standing]}</p>;
  if (standing === 'shown' || tab === 'headers' || tab === 'source' || tab === 'attachments') return undefined;
  return <p className="soft">{standing === 'empty' ? TEXTS.nothing.empty : TEXTS.nothing.onlyAttachments}</p>;
}

function Preview({ id, remoteImages }: { id: string; remoteImages: number | undefined }) {
  const [state, change] = useUrlState();
  return (
    <StrangerFrame
      key={id}
      path={`frames/emails/${id}`}
      title={TEXTS.preview}
      remoteImages={remoteImages}
      width={widthOf(state.get('width'))}
      onWidth={(width) => change({ width: width === 'full' ? null : width })}
      ground={groundOf(state.get('ground'))}
      onGround={(ground) => change({ ground: ground === 'light' ? null : ground })}
    />
  );
}

function Text({ email: { text, html } }: { email: Email }) {
  if (text) return <pre className="email-text">{text}</pre>;
  return <p className="soft">{text === '' || html === null ? TEXTS.nothing.textOff : TEXTS.nothing.noText}</p>;
}
