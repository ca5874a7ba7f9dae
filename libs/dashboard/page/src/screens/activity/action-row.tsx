import { Code, Monitor } from 'lucide-react';
import { Link } from 'wouter';
import type { Features } from '../../api/session';
import type { Action } from '../../api/types';
import { Badge } from '../../parts/badge';
import { shortId } from '../../parts/copyable';
import { Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { actorOf, type Changed, changedBy, type KeyNames, sentenceOf } from './actions';
import { TEXTS } from './texts';

/** Objects that a row shows before the rest is asked for. */
const SHOWN = 3;

const ICONS = { page: Monitor, api: Code } as const;

interface ActionRowProps {
  action: Action;
  features: Features;
  names: KeyNames;
}

/** One change: a sentence, who made it, when, and the changed objects. */
export function ActionRow({ action, features, names }: ActionRowProps) {
  const { source, created_at: createdAt } = action;
  return (
    <li>
      <Row
        title={sentenceOf(action)}
        second={
          <>
            <Actor action={action} names={names} />
            <Objects changed={changedBy(action, features, names)} count={action.count} />
          </>
        }
        time={<Time value={createdAt} />}
        mark={<Badge icon={ICONS[source]} word={TEXTS.sources[source]} tone="neutral" />}
      />
    </li>
  );
}

function Actor({ action: { key_id: keyId, session_id: sessionId }, names }: Pick<ActionRowProps, 'action' | 'names'>) {
  return (
    <span>
      <bdi>{actorOf(keyId, names)}</bdi>
      {sessionId !== null && <span title={sessionId}>, {TEXTS.session(shortId(sessionId))}</span>}
    </span>
  );
}

function Objects({ changed, count }: { changed: readonly Changed[]; count: number }) {
  const rest = changed.slice(SHOWN);
  return (
    <>
      <Links changed={changed.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{TEXTS.others(count - SHOWN)}</summary>
          <div className="second">
            <Links changed={rest} />
          </div>
        </details>
      )}
    </>
  );
}

function Links({ changed }: { changed: readonly Changed[] }) {
  return changed.map(({ id, title, href }) =>
    href === undefined ? (
      <bdi key={id} title={id}>
        {title}
      </bdi>
    ) : (
      <Link key={id} href={href} title={id}>
        {title}
      </Link>
    ),
  );
}
