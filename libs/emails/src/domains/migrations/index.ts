import type { MigrationInterface } from 'typeorm';
import { DomainsCreate1764800007000 } from './1764800007000-domains-create.js';

/** Every migration of the feature, for the host's data source. */
export const domainsMigrations: (new () => MigrationInterface)[] = [DomainsCreate1764800007000];
