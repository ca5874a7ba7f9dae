import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import { usePages } from '../../api/pages';
import type { Contact, ContactTopic } from '../../api/types';
import { Problem } from '../../parts/problem';

/** A contact's choice for each topic. A change is saved at once. */
export function ContactTopics({ contact }: { contact: Contact }) {
  const path = `contacts/${contact.id}/topics`;
  const topics = usePages<ContactTopic>(path, { limit: 100 });
  return (
    <section className="stack" aria-label="Topics">
      <h2>Topics</h2>
      <p className="soft">
        {contact.unsubscribed
          ? 'Unsubscribed: gets none of them, regardless of the choices here.'
          : 'Gets the emails of the ticked topics. Without a choice the default of the topic applies. A change is saved at once, and also applies to pending emails.'}
      </p>
      {topics.error && (
        <Problem what="The topics could not be listed" error={topics.error} onRetry={() => void topics.refetch()} />
      )}
      {topics.isSuccess && topics.items.length === 0 && <p>There are no topics.</p>}
      <ul className="contact-topics">
        {topics.items.map((topic) => (
          <Choice key={topic.id} path={path} topic={topic} />
        ))}
      </ul>
      {topics.hasNextPage && (
        <div>
          <button type="button" onClick={topics.needMore}>
            More topics
          </button>
        </div>
      )}
    </section>
  );
}

function Choice({ path, topic }: { path: string; topic: ContactTopic }) {
  const client = useQueryClient();
  // Valid until the list has the saved value. A mutation becomes pending a moment after the click; until then the box
  // would jump back.
  const [chosen, setChosen] = useState<{ over: ContactTopic; subscription: ContactTopic['subscription'] }>();
  const isSaving = chosen?.over === topic;
  const choose = useMutation({
    mutationFn: (subscription: ContactTopic['subscription']) =>
      api('PATCH', path, { body: { topics: [{ id: topic.id, subscription }] } }),
    onSuccess: (_, subscription) => changePages<ContactTopic>(client, path, { saved: { ...topic, subscription } }),
    onError: () => setChosen(undefined),
  });
  const change = (subscription: ContactTopic['subscription']) => {
    if (isSaving) return;
    setChosen({ over: topic, subscription });
    choose.mutate(subscription);
  };
  const subscription = isSaving ? chosen.subscription : topic.subscription;
  return (
    <li>
      <label className="contact-check">
        <input
          type="checkbox"
          checked={subscription === 'opt_in'}
          onChange={({ target }) => change(target.checked ? 'opt_in' : 'opt_out')}
        />
        <span>
          {topic.name} {topic.description !== null && <span className="soft">{topic.description}</span>}
        </span>
      </label>
      <span className="soft" role="status">
        {choose.isSuccess && 'Saved'}
      </span>
      {choose.error && (
        <Problem what="The choice was not saved" error={choose.error} meaning="The previous choice is unchanged." />
      )}
    </li>
  );
}
