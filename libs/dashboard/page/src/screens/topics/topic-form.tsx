import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Topic } from '../../api/types';
import { useFocusOnProblem } from '../../hooks/use-focus-on-problem';
import { DraftBar } from '../../parts/draft-bar';
import { Field } from '../../parts/field';
import { fieldProblem } from '../../parts/field-problem';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { useToast } from '../../parts/toast';
import { useDraft } from '../../parts/use-draft';
import { DEFAULTS, TEXTS, VISIBILITIES } from './texts';
import { changesOf, FIELDS, NEW_TOPIC, valuesOf } from './topic-values';

/** The form of an existing topic, or of a new one. */
export function TopicForm({ topic }: { topic?: Topic }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const { values, base, isChanged, change, end } = useDraft(
    `topics/${topic?.id ?? 'new'}`,
    topic ? valuesOf(topic) : NEW_TOPIC,
  );
  const save = useMutation({
    mutationFn: () =>
      topic
        ? api<Topic>('PATCH', `topics/${topic.id}`, { body: changesOf(base, values) })
        : api<Topic>('POST', 'topics', { body: values }),
    onSuccess: (saved) => {
      client.setQueryData(['topic', saved.id], saved);
      changePages(client, 'topics', topic ? { saved } : { made: saved });
      end();
      if (topic) return;
      toast(TEXTS.wasCreated(plainName(saved.name)));
      navigate(`/topics/${saved.id}`);
    },
  });
  const problem = fieldProblem(save.error, FIELDS);
  const wrongWith = (field: string) => (problem?.field === field ? problem.message : undefined);
  const form = useFocusOnProblem(save.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form ref={form} className="stack" aria-label={topic ? TEXTS.change : TEXTS.new} onSubmit={onSubmit}>
      {!topic && <h1>{TEXTS.new}</h1>}
      <Field label={TEXTS.name} error={wrongWith('name')} hint={TEXTS.nameHint}>
        {(ids) => (
          <input {...ids} required value={values.name} onChange={({ target }) => change({ name: target.value })} />
        )}
      </Field>
      <Field label={TEXTS.description} error={wrongWith('description')} hint={TEXTS.descriptionHint}>
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            value={values.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      <Field
        label={TEXTS.audience}
        error={wrongWith('default_subscription')}
        hint={topic ? TEXTS.audienceFixed : TEXTS.audienceHint}
      >
        {(ids) => (
          <select
            {...ids}
            disabled={topic !== undefined}
            value={values.default_subscription}
            onChange={({ target }) => change({ default_subscription: target.value as Topic['default_subscription'] })}
          >
            {Object.entries(DEFAULTS).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={TEXTS.visibility} error={wrongWith('visibility')}>
        {(ids) => (
          <select
            {...ids}
            value={values.visibility}
            onChange={({ target }) => change({ visibility: target.value as Topic['visibility'] })}
          >
            {Object.entries(VISIBILITIES).map(([value, { meaning }]) => (
              <option key={value} value={value}>
                {meaning}
              </option>
            ))}
          </select>
        )}
      </Field>
      {save.error && !problem && <Problem what={TEXTS.notSaved} error={save.error} meaning={TEXTS.inputKept} />}
      <DraftBar
        action={topic ? TEXTS.save : TEXTS.create}
        isChanged={isChanged}
        isBusy={save.isPending}
        isSaved={save.isSuccess}
        onDiscard={() => {
          end();
          save.reset();
        }}
      />
    </form>
  );
}
