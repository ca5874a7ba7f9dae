import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import { usePages } from '../../api/pages';
import type { Contact, ContactTopic } from '../../api/types';
import { Card } from '../../parts/card';
import { Check } from '../../parts/check';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { TEXTS } from './texts';

const texts = TEXTS.topics;

/** A contact's choice for each topic. A change is saved at once. */
export function ContactTopics({ contact }: { contact: Contact }) {
  const path = `contacts/${contact.id}/topics`;
  const topics = usePages<ContactTopic>(path, { limit: 100 });
  return (
    <Card title={texts.title}>
      <p className="soft">{contact.unsubscribed ? texts.unsubscribed : texts.lead}</p>
      {topics.error && <Problem what={texts.notListed} error={topics.error} onRetry={() => void topics.refetch()} />}
      {topics.isSuccess && topics.items.length === 0 && <p>{texts.none}</p>}
      <ul className="contact-topics">
        {topics.items.map((topic) => (
          <Choice key={topic.id} path={path} topic={topic} />
        ))}
      </ul>
      {topics.hasNextPage && (
        <div>
          <button type="button" onClick={topics.needMore}>
            {texts.more}
          </button>
        </div>
      )}
    </Card>
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
      <Check
        label={<bdi>{plainName(topic.name)}</bdi>}
        hint={topic.description === null ? undefined : <bdi>{plainName(topic.description)}</bdi>}
        isChecked={subscription === 'opt_in'}
        onChange={(isChecked) => change(isChecked ? 'opt_in' : 'opt_out')}
      />
      <span className="soft" role="status">
        {choose.isSuccess && texts.saved}
      </span>
      {choose.error && <Problem what={texts.notSaved} error={choose.error} meaning={texts.notSavedMeaning} />}
    </li>
  );
}
