const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * True of hexadecimal digits in groups of 8, 4, 4, 4 and 12, as PostgreSQL writes a UUID. Version and variant (RFC 9562,
 * section 4) may be any: clients test with ids that have none, and an unknown id is a 404, not a mistake of form.
 */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
