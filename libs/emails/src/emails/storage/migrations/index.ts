import type { MigrationInterface } from 'typeorm';
import { EmailsCreate1764800001000 } from './1764800001000-emails-create.js';

/** All migrations of the core, for the `migrations` of the host's data source. */
export const emailsMigrations: (new () => MigrationInterface)[] = [EmailsCreate1764800001000];
