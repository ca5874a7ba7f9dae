import type { SqlTransaction } from 'nestjs-emails';
import type { Prisma } from './generated/client.js';

export function ofPrisma(tx: Prisma.TransactionClient): SqlTransaction {
  return { query: async (sql, parameters) => ({ rows: await tx.$queryRawUnsafe(sql, ...parameters) }) };
}
