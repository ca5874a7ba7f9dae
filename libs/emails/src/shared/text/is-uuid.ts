const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * True for hexadecimal digits in groups of 8, 4, 4, 4 and 12, PostgreSQL's format of a UUID. Any version and variant
 * (RFC 9562, section 4) is accepted: clients test with ids without them, and an unknown id is a 404, not a format
 * error.
 */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
