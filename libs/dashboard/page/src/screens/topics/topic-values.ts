import type { Topic } from '../../api/types';

/** A topic as its form has it. */
export type TopicValues = Pick<Topic, 'name' | 'default_subscription' | 'visibility'> & { description: string };

export const FIELDS: readonly string[] = ['name', 'description', 'default_subscription', 'visibility'];

export const NEW_TOPIC: TopicValues = {
  name: '',
  description: '',
  default_subscription: 'opt_in',
  visibility: 'private',
};

/** What the form begins with for a topic that there is. */
export function valuesOf({ name, description, default_subscription, visibility }: Topic): TopicValues {
  return { name, description: description ?? '', default_subscription, visibility };
}

/** The body of `PATCH /topics/:id`: what differs from `base`. Null clears the description. */
export function changesOf(base: TopicValues, values: TopicValues): Record<string, string | null> {
  const { name, description, visibility } = values;
  return {
    ...(name !== base.name && { name }),
    ...(description !== base.description && { description: description === '' ? null : description }),
    ...(visibility !== base.visibility && { visibility }),
  };
}

/** What a default means, for those who said nothing. */
export const DEFAULTS = {
  opt_in: 'Everybody, but for those who opted out',
  opt_out: 'Only those who opted in',
} as const;

/** What a visibility means. */
export const VISIBILITIES = {
  private: 'Private: where people choose, only those who opted in see it',
  public: 'Public: where people choose, everybody sees it',
} as const;
