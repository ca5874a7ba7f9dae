import type { Topic } from '../../api/types';

/** A topic in its form. */
export type TopicValues = Pick<Topic, 'name' | 'default_subscription' | 'visibility'> & { description: string };

export const FIELDS: readonly string[] = ['name', 'description', 'default_subscription', 'visibility'];

export const NEW_TOPIC: TopicValues = {
  name: '',
  description: '',
  default_subscription: 'opt_in',
  visibility: 'private',
};

/** Initial values of the form for an existing topic. */
export function valuesOf({ name, description, default_subscription, visibility }: Topic): TopicValues {
  return { name, description: description ?? '', default_subscription, visibility };
}

/** The body of `PATCH /topics/:id`: the differences from `base`. Null clears the description. */
export function changesOf(base: TopicValues, values: TopicValues): Record<string, string | null> {
  const { name, description, visibility } = values;
  return {
    ...(name !== base.name && { name }),
    ...(description !== base.description && { description: description === '' ? null : description }),
    ...(visibility !== base.visibility && { visibility }),
  };
}
