import type { MigrationInterface } from 'typeorm';
import { AudienceCreate1764800003000 } from './1764800003000-audience-create.js';

/** Every migration of the module, for the host's data source. */
export const audienceMigrations: (new () => MigrationInterface)[] = [AudienceCreate1764800003000];
