import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FEEDBACK_LIMITS } from 'nestjs-emails/facts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem, api } from '../../../api/client';
import { retryDelay, shouldRetry } from '../../../api/retries';
import type { Suppression } from '../../../api/types';
import { Field } from '../../../parts/field';
import { FormDialog } from '../../../parts/form-dialog';
import { plainName } from '../../../parts/plain-name';
import { ResultDialog } from '../../../parts/question-dialog';
import { ORIGINS, TEXTS } from '../texts';
import { type AddedPiece, addPiece, type Piece, piecesOf } from './add-pieces';
import { type AddressFile, MAX_LINES, type RefusedLine, readAddresses } from './read-addresses';
import { MAX_BYTES, textOf } from './read-file';

const texts = TEXTS.importing;

/** Refused lines that are shown. */
const SHOWN = 100;
/** Retries after a limit of requests. */
const PATIENCE = 10;

/** Reads a CSV file and adds its addresses, a piece at a time. */
export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const [origin, setOrigin] = useState<Suppression['origin']>('manual');
  const { file, problem, choose } = useAddressFile();
  const { progress, isRunning, error, add } = useAdding();
  const pieces = useMemo(
    () => (file ? piecesOf(file.found, origin, FEEDBACK_LIMITS.suppressions.max) : []),
    [file, origin],
  );
  const isBegun = progress.pieces > 0;
  if (file && isBegun && progress.pieces === pieces.length) {
    const refused = [...file.refused, ...progress.refused].sort((a, b) => a.line - b.line);
    return (
      <ResultDialog title={texts.doneTitle} done={texts.done} onClose={onClose}>
        <p role="status">{texts.added(progress.added)}</p>
        {refused.length > 0 && <RefusedLines lines={refused} />}
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      title={texts.title}
      action={isBegun || error != null ? texts.goOn : texts.action(file?.found.length ?? 0)}
      task={{ mutate: () => void add(pieces), isPending: isRunning, error }}
      failure={texts.failure}
      meaning={texts.meaning}
      isIncomplete={pieces.length === 0}
      closeLabel={isRunning ? texts.stop : texts.cancel}
      onClose={onClose}
    >
      <p>{texts.lead}</p>
      <fieldset className="plain stack" disabled={isRunning || isBegun}>
        <Field label={texts.file} hint={texts.fileHint} error={problem}>
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          )}
        </Field>
        <Field label={TEXTS.origin} hint={texts.originHint}>
          {(ids) => (
            <select {...ids} value={origin} onChange={({ target }) => setOrigin(target.value as Suppression['origin'])}>
              {Object.entries(ORIGINS).map(([name, { title }]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      </fieldset>
      {file && !isRunning && !isBegun && <Found file={file} />}
      {file && (isRunning || isBegun) && (
        <p>
          <progress
            aria-label={texts.progress}
            max={file.found.length}
            value={progress.added + progress.refused.length}
          />{' '}
          {texts.progressOf(progress.added + progress.refused.length, file.found.length)}
        </p>
      )}
    </FormDialog>
  );
}

/** The chosen file, once it is read. */
function useAddressFile() {
  const [file, setFile] = useState<AddressFile>();
  const [problem, setProblem] = useState<string>();
  const latest = useRef<File>(undefined);
  const choose = async (chosen: File | undefined) => {
    latest.current = chosen;
    const read = chosen && (await addressesOf(chosen));
    if (latest.current !== chosen) return;
    setProblem(typeof read === 'string' ? read : undefined);
    setFile(typeof read === 'string' ? undefined : read);
  };
  return { file, problem, choose };
}

/** The addresses of a file, or what is wrong with it. */
async function addressesOf(file: File): Promise<AddressFile | string> {
  if (file.size > MAX_BYTES) return texts.tooLarge(MAX_BYTES);
  try {
    const addresses = readAddresses(await textOf(file));
    if (!addresses) return texts.tooLong(MAX_LINES);
    return addresses.found.length === 0 ? texts.noneFound : addresses;
  } catch {
    return texts.unreadable;
  }
}

interface Progress {
  /** Pieces that were added. */
  pieces: number;
  added: number;
  refused: RefusedLine[];
}

/** Adds pieces one after the other, from the first that is not added. It ends with the dialog. */
function useAdding() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ pieces: 0, added: 0, refused: [] });
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const post = useMutation({
    mutationFn: (body: object) => api('POST', 'suppressions/batch/add', { body }),
    retry: (failures, problem) =>
      shouldRetry(failures, problem) ||
      (problem instanceof ApiProblem && problem.status === 429 && failures < PATIENCE),
    retryDelay,
  });
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const add = async (pieces: readonly Piece[]) => {
    setRunning(true);
    setError(undefined);
    try {
      for (const piece of pieces.slice(progress.pieces)) {
        const done = await addPiece(piece, (body) => post.mutateAsync(body));
        if (isClosed.current) break;
        setProgress((before) => after(before, done));
      }
    } catch (problem) {
      setError(problem);
    } finally {
      setRunning(false);
      void client.invalidateQueries({ queryKey: ['list', 'suppressions'] });
      void client.invalidateQueries({ queryKey: ['suppression'] });
    }
  };
  return { progress, isRunning, error, add };
}

function after({ pieces, added, refused }: Progress, done: AddedPiece): Progress {
  return { pieces: pieces + 1, added: added + done.added, refused: [...refused, ...done.refused] };
}

function Found({ file: { found, refused, hasHeader } }: { file: AddressFile }) {
  return (
    <>
      <p role="status">
        {texts.found(found.length)} {hasHeader && texts.header}
      </p>
      {refused.length > 0 && <RefusedLines lines={refused} />}
    </>
  );
}

function RefusedLines({ lines }: { lines: readonly RefusedLine[] }) {
  return (
    <details open>
      <summary>{texts.refused(lines.length)}</summary>
      <ul className="suppressions-lines">
        {lines.slice(0, SHOWN).map(({ line, text, why }) => (
          <li key={line}>
            {texts.line(line)} <bdi className="mono">{plainName(text.slice(0, 100))}</bdi>{' '}
            <span className="soft">{why}</span>
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && <p className="soft">{texts.moreRefused(lines.length - SHOWN)}</p>}
    </details>
  );
}
