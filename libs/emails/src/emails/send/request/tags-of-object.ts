/**
 * The list of tags that an object of names and values stands for, ordered by name; anything else as it is. What could
 * also be one tag that is in no list stays an object, and is refused: it would be guessed.
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
