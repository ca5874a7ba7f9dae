import { CircleAlert, Lightbulb } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { DomainRecord } from '../../api/domains';
import { StateBadge } from '../../parts/badge';
import { CopyButton } from '../../parts/copyable';
import { plainName } from '../../parts/plain-name';
import { fullName } from './standing';
import { TEXTS, useOf } from './texts';

const texts = TEXTS.record;

/** One record: what to publish, what is there, and what is wrong. */
export function RecordView({ record, domain }: { record: DomainRecord; domain: string }) {
  const { type, name, value, priority, status, found, advice } = record;
  const { title, use } = useOf(record);
  const facts: [string, ReactNode][] = [
    [texts.type, type],
    [
      texts.name,
      <>
        <Copied value={name} what={texts.copyName(title)} />
        <span className="soft">
          {texts.fullName}: <bdi>{fullName(record, plainName(domain))}</bdi>
        </span>
      </>,
    ],
    [texts.value, <Copied key="value" value={value} what={texts.copyValue(title)} />],
  ];
  if (priority !== undefined) facts.push([texts.priority, priority]);
  if (found !== null && status !== 'verified') facts.push([texts.found, <Found key="found" values={found} />]);
  return (
    <>
      <div className="bar">
        <h3>{title}</h3>
        <span className="end">
          <StateBadge state={status} />
        </span>
      </div>
      <p className="soft">{use}</p>
      {advice.length > 0 && <Advice advice={advice} isVerified={status === 'verified'} />}
      <dl className="domain-record">
        {facts.map(([term, fact]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

function Copied({ value, what }: { value: string; what: string }) {
  return (
    <div className="copied">
      <code className="mono">{value}</code>
      <CopyButton value={value} what={what} />
    </div>
  );
}

/** Texts of strangers. */
function Found({ values }: { values: readonly string[] }) {
  if (values.length === 0) return <span className="soft">{texts.nothing}</span>;
  return (
    <ul className="domain-found">
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
        <li key={at} className="mono">
          <bdi>{plainName(value) || texts.empty}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Advice({ advice, isVerified }: { advice: DomainRecord['advice']; isVerified: boolean }) {
  const Icon = isVerified ? Lightbulb : CircleAlert;
  return (
    <ul className={isVerified ? 'domain-advice' : 'domain-advice wrong'}>
      {advice.map(({ code, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a code may repeat
        <li key={at}>
          <Icon className="icon" size={15} aria-hidden="true" />
          <span>
            <strong className="only-read">{isVerified ? texts.advice : texts.wrong}: </strong>
            <bdi>{plainName(text) || code}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}
