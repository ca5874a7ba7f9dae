import { useQueryClient } from '@tanstack/react-query';
import { Download, History, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { fetchMounted } from '../../api/client';
import { suppressionQuery } from '../../api/suppressions';
import type { Suppression } from '../../api/types';
import { useUrlState } from '../../hooks/use-url-state';
import { FindAddress } from '../../parts/find-address';
import { Menu, type MenuItem } from '../../parts/menu';
import { OnlyFor } from '../../parts/only-for';
import { Problem } from '../../parts/problem';
import { saveFile } from '../../parts/save-file';
import { ScreenHead } from '../../parts/screen-head';
import { useMay } from '../../parts/use-may';
import { AddSuppression } from './add-suppression';
import { ImportSuppressions } from './import/import-suppressions';
import { ORIGINS, TEXTS } from './texts';
import { UndoBounces } from './undo/undo-bounces';

interface SuppressionsHeadProps {
  /** Text of the search. */
  wanted: string;
  origin: Suppression['origin'] | undefined;
}

const DIALOGS = { add: AddSuppression, import: ImportSuppressions, undo: UndoBounces } as const;

/** The search, the filter, and what can be done with the list. */
export function SuppressionsHead({ wanted, origin }: SuppressionsHeadProps) {
  const client = useQueryClient();
  const [, change] = useUrlState();
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const [failure, setFailure] = useState<unknown>();
  const may = useMay();
  const exportAll = async () => {
    setFailure(undefined);
    try {
      const response = await fetchMounted('GET', 'api/suppressions/export');
      saveFile(await response.blob(), 'suppressions.csv');
    } catch (error) {
      setFailure(error);
    }
  };
  const items: MenuItem[] = [
    ...(may('admin') ? [{ name: TEXTS.import, icon: Upload, run: () => setOpen('import') }] : []),
    { name: TEXTS.export, icon: Download, run: () => void exportAll() },
    ...(may('admin') ? [{ name: TEXTS.undo, icon: History, run: () => setOpen('undo') }] : []),
  ];
  const Opened = open && DIALOGS[open];
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <FindAddress
          path="/suppressions"
          wanted={wanted}
          texts={TEXTS.find}
          find={(text) => client.fetchQuery(suppressionQuery(text))}
        />
        {wanted === '' ? (
          <select
            className="suppressions-origin"
            aria-label={TEXTS.origin}
            value={origin ?? ''}
            onChange={({ target }) => change({ origin: target.value })}
          >
            <option value="">{TEXTS.everyOrigin}</option>
            {Object.entries(ORIGINS).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        ) : (
          <Link href="/suppressions" className="button">
            {TEXTS.find.showAll}
          </Link>
        )}
        <div className="bar end">
          {may('support') && <Menu label={TEXTS.more} items={items} />}
          <OnlyFor needs="admin">
            <button type="button" className="primary" onClick={() => setOpen('add')}>
              {TEXTS.add}
            </button>
          </OnlyFor>
        </div>
      </ScreenHead>
      {failure !== undefined && <Problem what={TEXTS.exporting} error={failure} onRetry={() => void exportAll()} />}
      {Opened && <Opened onClose={() => setOpen(undefined)} />}
    </>
  );
}
