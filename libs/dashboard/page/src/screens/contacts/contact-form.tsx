import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Contact } from '../../api/types';
import { useFocusOnProblem } from '../../hooks/use-focus-on-problem';
import { useUrlState } from '../../hooks/use-url-state';
import { Check } from '../../parts/check';
import { DraftBar } from '../../parts/draft-bar';
import { Field } from '../../parts/field';
import { fieldProblem } from '../../parts/field-problem';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { useToast } from '../../parts/toast';
import { useDraft } from '../../parts/use-draft';
import { bodyOf, changesOf, FIELDS, NEW_CONTACT, valuesOf } from './contact-values';
import { wrongWithRows } from './properties';
import { PropertyRows } from './property-rows';
import { TEXTS } from './texts';

/** The form of an existing contact, or of a new one. */
export function ContactForm({ contact }: { contact?: Contact }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [state] = useUrlState();
  const email = state.get('email') ?? '';
  const { values, base, isChanged, change, end } = useDraft(
    `contacts/${contact?.id ?? `new ${email}`}`,
    contact ? valuesOf(contact) : { ...NEW_CONTACT, email },
  );
  const [wrongRow, setWrongRow] = useState<{ index: number; message: string }>();
  const save = useMutation({
    mutationFn: () =>
      contact
        ? api<Contact>('PATCH', `contacts/${contact.id}`, { body: changesOf(base, values) })
        : api<Contact>('POST', 'contacts', { body: bodyOf(values) }),
    onSuccess: (saved) => {
      client.setQueryData(['contact', saved.id], saved);
      changePages(client, 'contacts', contact ? { saved } : { made: saved });
      void client.invalidateQueries({ queryKey: ['found contact'] });
      end();
      if (contact) return;
      toast(TEXTS.wasCreated(plainName(saved.email)));
      navigate(`/contacts/${saved.id}`);
    },
  });
  const problem = fieldProblem(save.error, FIELDS);
  const wrongWith = (field: string) => (problem?.field === field ? problem.message : undefined);
  const form = useFocusOnProblem(wrongRow ?? save.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = wrongWithRows(values.properties);
    setWrongRow(wrong);
    if (wrong === undefined) save.mutate();
    else save.reset();
  };
  return (
    <form
      ref={form}
      noValidate={contact !== undefined}
      className="stack"
      aria-label={contact ? TEXTS.change : TEXTS.new}
      onSubmit={onSubmit}
    >
      {!contact && (
        <>
          <h1>{TEXTS.new}</h1>
          <Field label={TEXTS.email} error={wrongWith('email')} hint={TEXTS.emailHint}>
            {(ids) => (
              <input
                {...ids}
                inputMode="email"
                autoComplete="off"
                spellCheck={false}
                required
                value={values.email}
                onChange={({ target }) => change({ email: target.value })}
              />
            )}
          </Field>
        </>
      )}
      <div className="contact-names">
        <Field label={TEXTS.firstName} error={wrongWith('first_name')}>
          {(ids) => (
            <input
              {...ids}
              autoComplete="off"
              value={values.first_name}
              onChange={({ target }) => change({ first_name: target.value })}
            />
          )}
        </Field>
        <Field label={TEXTS.lastName} error={wrongWith('last_name')}>
          {(ids) => (
            <input
              {...ids}
              autoComplete="off"
              value={values.last_name}
              onChange={({ target }) => change({ last_name: target.value })}
            />
          )}
        </Field>
      </div>
      <Check
        label={TEXTS.unsubscribed}
        hint={TEXTS.unsubscribedHint}
        isChecked={values.unsubscribed}
        onChange={(unsubscribed) => change({ unsubscribed })}
      />
      <PropertyRows
        rows={values.properties}
        problem={wrongRow ?? rowProblem(problem, values.properties)}
        onChange={(properties) => change({ properties })}
      />
      {save.error && !problem && <Problem what={TEXTS.notSaved} error={save.error} meaning={TEXTS.inputKept} />}
      <DraftBar
        action={contact ? TEXTS.save : TEXTS.create}
        isChanged={isChanged || (!contact && values.email !== '')}
        isBusy={save.isPending}
        isSaved={save.isSuccess}
        onDiscard={() => {
          end();
          setWrongRow(undefined);
          save.reset();
        }}
      />
    </form>
  );
}

function rowProblem(problem: ReturnType<typeof fieldProblem>, rows: readonly { key: string }[]) {
  if (problem?.field !== 'properties') return undefined;
  const index = rows.findIndex(({ key }) => key === problem.rest);
  return { message: problem.message, ...(index >= 0 && { index }) };
}
