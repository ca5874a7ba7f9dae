import type { EntityOptions } from 'typeorm';

/** The PostgreSQL schema of every table of the package: separate from the host's tables. */
export const SCHEMA = 'nestjs_emails';

/** A table of the package. Only migrations change it: `synchronize` of a host's data source leaves it alone. */
export function tableNamed(name: string): EntityOptions {
  return { schema: SCHEMA, name, synchronize: false };
}
