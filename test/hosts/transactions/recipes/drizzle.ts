import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { SqlTransaction } from 'nestjs-emails';

export function ofDrizzle(tx: Pick<NodePgDatabase, 'execute'>): SqlTransaction {
  return {
    query: async (text, parameters) => {
      const pieces = text
        .split(/\$(\d+)/)
        .map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : sql.param(parameters[Number(piece) - 1])));
      return tx.execute(sql.join(pieces));
    },
  };
}
