import { libraryStatements } from '../../support/reading/library-statements.js';
import type { Place } from '../support/stage.js';

/** The sequential scans in the plans of the library's statements on a full database, by statement name. */
export async function plans(place: Place): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, { sql, params }] of await libraryStatements()) {
    const rows = await place.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params);
    found.set(
      name,
      rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => line.includes('Seq Scan on ')),
    );
  }
  return found;
}
