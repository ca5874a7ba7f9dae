import type { MigrationInterface } from 'typeorm';
import { AccessCreate1764100001000 } from './1764100001000-access-create.js';
import { ExpandSessions1764600030000 } from './1764600030000-expand-sessions.js';

/** Every migration of the module, for the host's data source. */
export const accessMigrations: (new () => MigrationInterface)[] = [
  AccessCreate1764100001000,
  ExpandSessions1764600030000,
];
