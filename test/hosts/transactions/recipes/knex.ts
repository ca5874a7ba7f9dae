import type { Knex } from 'knex';
import type { SqlTransaction } from 'nestjs-emails';

export function ofKnex(trx: Knex.Transaction): SqlTransaction {
  return {
    query: async (sql, parameters) => {
      const named = Object.fromEntries(parameters.map((value, at) => [`p${at + 1}`, value as Knex.Value]));
      return trx.raw(sql.replace(/\$(\d+)/g, ':p$1'), named);
    },
  };
}
