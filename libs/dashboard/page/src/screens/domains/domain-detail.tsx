import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { checkDomain, type Domain, domainQuery } from '../../api/domains';
import { useTitle } from '../../hooks/use-title';
import { StateBadge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Copyable, CopyButton, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { Menu } from '../../parts/menu';
import { OnlyFor } from '../../parts/only-for';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { ExactTime, Time } from '../../parts/time';
import { useToast } from '../../parts/toast';
import { DeleteDomain } from './delete-domain';
import { Encryption } from './encryption';
import { RecordView } from './record-view';
import { RotateKeys } from './rotate-keys';
import { SigningKeys } from './signing-keys';
import { recordsLeft, recordsToKeep } from './standing';
import { STANDINGS, TEXTS } from './texts';
import { zoneFile } from './zone-file';

const names = TEXTS.facts;
const DIALOGS = { rotate: RotateKeys, delete: DeleteDomain } as const;

/** One domain: its records with what is there and what is wrong, its keys and settings. */
export function DomainDetail({ id }: { id: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const query = useQuery(domainQuery(id));
  const check = useMutation({
    mutationFn: (domain: Domain) => checkDomain(client, domain),
    onSuccess: (domain) => toast(TEXTS.checked(recordsLeft(domain))),
  });
  useTitle(query.data ? plainName(query.data.name) : TEXTS.title);
  const Opened = open && DIALOGS[open];
  return (
    <DetailScreen query={query} failure={TEXTS.notRead} missing={TEXTS.missing}>
      {(domain) => ({
        lead: (
          <div className="bar">
            <StateBadge state={domain.status} />
            {domain.capabilities.sending === 'disabled' && <span className="soft">{TEXTS.off}</span>}
          </div>
        ),
        title: <bdi>{plainName(domain.name)}</bdi>,
        aside: (
          <OnlyFor needs="admin">
            <div className="bar end">
              <button type="button" className="primary" disabled={check.isPending} onClick={() => check.mutate(domain)}>
                {check.isPending ? TEXTS.checking : TEXTS.verify}
              </button>
              <Menu
                label={TEXTS.more}
                items={[
                  ...(hasKeys(domain)
                    ? [{ name: TEXTS.rotate, icon: KeyRound, run: () => setOpen('rotate') } as const]
                    : []),
                  { name: TEXTS.delete, icon: Trash2, isDangerous: true, run: () => setOpen('delete') },
                ]}
              />
            </div>
          </OnlyFor>
        ),
        facts: factsOf(domain),
        content: (
          <>
            {check.error && (
              <Problem what={TEXTS.notVerified} error={check.error} onRetry={() => check.mutate(domain)} />
            )}
            <p>{STANDINGS[domain.status]?.(plainName(domain.name), recordsLeft(domain))}</p>
            <Records domain={domain} />
            {domain.recommended.length > 0 && (
              <Card title={TEXTS.recommended}>
                <p className="soft">{TEXTS.recommendedLead}</p>
                <RecordList records={domain.recommended} domain={domain} />
              </Card>
            )}
            {hasKeys(domain) && <SigningKeys records={domain.records} />}
            <Encryption domain={domain} />
            {Opened && <Opened domain={domain} onClose={() => setOpen(undefined)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}

const hasKeys = ({ records }: Domain) => records.some(({ key }) => key !== undefined);

function factsOf({ id, created_at, checked_at, next_check_at, custom_return_path, name }: Domain) {
  return {
    [names.checked]: checked_at === null ? names.notChecked : <ExactTime value={checked_at} />,
    [names.next]: next_check_at !== null && <Time value={next_check_at} />,
    [names.returnPath]: <bdi>{plainName(`${custom_return_path}.${name}`)}</bdi>,
    [names.added]: <ExactTime value={created_at} />,
    [names.id]: <Copyable value={id} shown={shortId(id)} what={names.theId} />,
  };
}

function Records({ domain }: { domain: Domain }) {
  const toCopy = recordsToKeep(domain);
  return (
    <Card
      title={TEXTS.records}
      aside={toCopy.length > 0 && <CopyButton value={zoneFile(toCopy, domain.name)} what={TEXTS.zone} />}
    >
      <p className="soft">
        {TEXTS.recordsLead(plainName(domain.name))} {TEXTS.zoneHint}.
      </p>
      <RecordList records={domain.records} domain={domain} />
    </Card>
  );
}

function RecordList({ records, domain: { name } }: { records: Domain['records']; domain: Domain }) {
  return (
    <ul className="domain-records">
      {records.map((record) => (
        <li key={`${record.type} ${record.name}`}>
          <RecordView record={record} domain={name} />
        </li>
      ))}
    </ul>
  );
}
