import type { MigrationInterface } from 'typeorm';
import { AccessCreate1764800002000 } from './1764800002000-access-create.js';

/** Every migration of the module, for the host's data source. */
export const accessMigrations: (new () => MigrationInterface)[] = [AccessCreate1764800002000];
