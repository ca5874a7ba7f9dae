import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/client';
import type { Suppression } from '../../../api/types';
import { Field, type FieldIds } from '../../../parts/field';
import { fieldProblem } from '../../../parts/field-problem';
import { FormDialog } from '../../../parts/form-dialog';
import { useToast } from '../../../parts/toast';
import { nameOf } from '../name-of';
import { TEXTS } from '../texts';
import { instantOfLocal, localTimeOf } from './local-times';

const texts = TEXTS.undoing;
const DAY = 86_400_000;

interface Undone {
  removed: number;
  /** The first of them. */
  data: Suppression[];
}

/** Takes back what bounces at one operator added in a time: shows it first. */
export function UndoBounces({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(() => ({
    operator: '',
    from: localTimeOf(new Date(Date.now() - DAY)),
    to: localTimeOf(new Date(Date.now() + 60_000)),
  }));
  const { look, undo } = useUndo(values, onClose);
  const found = look.data;
  const isReversed = values.from !== '' && values.to !== '' && values.to <= values.from;
  const error = undo.error ?? look.error;
  const problem = fieldProblem(error, ['operator', 'from', 'to']);
  const field = (name: keyof typeof values, hint: string | undefined, control: (ids: FieldIds) => ReactNode) => (
    <Field
      label={texts[name]}
      hint={hint}
      error={name === 'to' && isReversed ? texts.reversed : problem?.field === name ? problem.message : undefined}
    >
      {control}
    </Field>
  );
  const inputOf = (name: keyof typeof values) => ({
    required: true,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [name]: target.value });
      look.reset();
      undo.reset();
    },
  });
  const isFound = found !== undefined && found.removed > 0;
  return (
    <FormDialog
      title={texts.title}
      action={isFound ? texts.action(found.removed) : texts.look}
      isDangerous={isFound}
      task={{
        mutate: () => (isFound ? undo : look).mutate(),
        isPending: look.isPending || undo.isPending,
        error: problem ? null : error,
      }}
      failure={texts.failure}
      isIncomplete={isReversed}
      onClose={onClose}
    >
      <p>{texts.lead}</p>
      {field('operator', texts.operatorHint, (ids) => (
        <input {...ids} {...inputOf('operator')} autoComplete="off" spellCheck={false} maxLength={50} />
      ))}
      {field('from', undefined, (ids) => (
        <input {...ids} {...inputOf('from')} type="datetime-local" />
      ))}
      {field('to', texts.spanHint, (ids) => (
        <input {...ids} {...inputOf('to')} type="datetime-local" />
      ))}
      <div role="status">{found && <Found {...found} />}</div>
    </FormDialog>
  );
}

function Found({ removed, data }: Undone) {
  if (removed === 0) return <p>{texts.none}</p>;
  return (
    <>
      <p>{texts.wouldRemove(removed)}</p>
      <ul className="suppressions-lines">
        {data.map((suppression) => (
          <li key={suppression.id}>
            <bdi>{nameOf(suppression)}</bdi>
          </li>
        ))}
      </ul>
      {removed > data.length && <p className="soft">{texts.more(removed - data.length)}</p>}
    </>
  );
}

/** Asks what would be removed, and removes it. */
function useUndo({ operator, from, to }: Record<'operator' | 'from' | 'to', string>, onClose: () => void) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const ask = (dry_run: boolean) => {
    const body = {
      operator: operator.trim().toLowerCase(),
      from: instantOfLocal(from),
      to: instantOfLocal(to),
      dry_run,
    };
    return api<Undone>('POST', 'suppressions/undo', { body });
  };
  const look = useMutation({ mutationFn: () => ask(true) });
  const undo = useMutation({
    mutationFn: () => ask(false),
    onSuccess: ({ removed }) => {
      void client.invalidateQueries({ queryKey: ['list', 'suppressions'] });
      void client.invalidateQueries({ queryKey: ['suppression'], refetchType: 'none' });
      toast(texts.done(removed));
      onClose();
      navigate('/suppressions');
    },
  });
  return { look, undo };
}
