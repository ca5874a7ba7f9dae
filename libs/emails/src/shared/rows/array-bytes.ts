/**
 * Bytes of an array. Without compression its stored size suffices; else PostgreSQL has to read it, because only the
 * compressed size is stored.
 */
export const arrayBytes = (
  column: string,
) => `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column})
  ELSE octet_length(array_to_string(${column}, '')) END`;
