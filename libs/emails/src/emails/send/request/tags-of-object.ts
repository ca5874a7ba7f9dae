/**
 * The list of tags that an object of names and values stands for, ordered by name; other values stay unchanged. An
 * object that could also be a single tag outside a list stays an object and is refused, because its meaning would be a
 * guess.
 */
export function tagsOfObject(tags: unknown): unknown {
  if (typeof tags !== 'object' || tags === null || Array.isArray(tags) || isTag(tags)) return tags;
  return Object.entries(tags)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]: [string, unknown]) => ({ name, value }));
}

function isTag(tags: object): boolean {
  return Object.hasOwn(tags, 'name') && Object.keys(tags).every((key) => key === 'name' || key === 'value');
}

/** Such an object in the API document. */
export const TAGS_OF_OBJECT = {
  type: 'object',
  maxProperties: 75,
  propertyNames: { pattern: '^[A-Za-z0-9_-]{1,256}$' },
  additionalProperties: { type: ['string', 'null'], pattern: '^[A-Za-z0-9_-]{0,256}$' },
};
