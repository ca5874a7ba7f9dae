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
import { Problem } from '../../parts/problem';
import { useDraft } from '../../parts/use-draft';
import { changesOf, DEFAULTS, FIELDS, NEW_TOPIC, VISIBILITIES, valuesOf } from './topic-values';

/** The form of an existing topic, or of a new one. */
export function TopicForm({ topic }: { topic?: Topic }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
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
      if (!topic) navigate(`/topics/${saved.id}`);
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
    <form
      ref={form}
      className="stack topic-form"
      aria-label={topic ? 'Change the topic' : 'New topic'}
      onSubmit={onSubmit}
    >
      {!topic && <h1>New topic</h1>}
      <Field label="Name" error={wrongWith('name')} hint="One line of up to 50 characters. Recipients may read it.">
        {(ids) => (
          <input {...ids} required value={values.name} onChange={({ target }) => change({ name: target.value })} />
        )}
      </Field>
      <Field label="Description" error={wrongWith('description')} hint="Up to 200 characters. May stay empty.">
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
        label="Who gets its emails"
        error={wrongWith('default_subscription')}
        hint={
          topic
            ? 'This cannot be changed: people gave or refused their consent on this basis.'
            : 'This cannot be changed after the topic is created.'
        }
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
      <Field label="Visibility" error={wrongWith('visibility')}>
        {(ids) => (
          <select
            {...ids}
            value={values.visibility}
            onChange={({ target }) => change({ visibility: target.value as Topic['visibility'] })}
          >
            {Object.entries(VISIBILITIES).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {save.error && !problem && (
        <Problem what="The topic was not saved" error={save.error} meaning="Your input is still here." />
      )}
      <DraftBar
        action={topic ? 'Save' : 'Create topic'}
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
