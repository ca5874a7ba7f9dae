/** The header of operations that send. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and request within 24 hours get the first answer again, and send nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
};

/** The headers of its answer. */
export const replayed = {
  'idempotent-replayed': { description: 'The key was used before.', schema: { const: 'true' } },
};
