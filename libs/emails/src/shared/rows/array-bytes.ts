/**
 * Bytes of an array. Without compression its size is known; else PostgreSQL has to read it, because its catalogue has only
 * the compressed size.
 */
export const arrayBytes = (
  column: string,
) => `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column})
  ELSE octet_length(array_to_string(${column}, '')) END`;
