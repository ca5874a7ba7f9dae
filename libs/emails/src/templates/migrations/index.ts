import type { MigrationInterface } from 'typeorm';
import { TemplatesCreate1764800004000 } from './1764800004000-templates-create.js';

/** Every migration of the module, for the host's data source. */
export const templatesMigrations: (new () => MigrationInterface)[] = [TemplatesCreate1764800004000];
