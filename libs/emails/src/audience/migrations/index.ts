import type { MigrationInterface } from 'typeorm';
import { AudienceCreate1764100002000 } from './1764100002000-audience-create.js';
import { ExpandVisibilityAndProperties1764300002000 } from './1764300002000-expand-visibility-and-properties.js';
import { ExpandPublished1764500003000 } from './1764500003000-expand-published.js';

/** Every migration of the module, for the host's data source. */
export const audienceMigrations: (new () => MigrationInterface)[] = [
  AudienceCreate1764100002000,
  ExpandVisibilityAndProperties1764300002000,
  ExpandPublished1764500003000,
];
