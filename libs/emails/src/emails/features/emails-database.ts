import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { Feature } from '../../shared/features/feature.js';
import { flag, gotten, isObject, list, problemsOf, type Rule, type Rules, refuse } from '../../shared/options/rules.js';
import { emailsEntities } from '../storage/entities/entities.js';
import { emailsMigrations } from '../storage/migrations/index.js';
import { featuresRule } from './features.rule.js';

/** The parts of an application's database for emails. */
export interface EmailsDatabase {
  /** The same as for `EmailsModule`. Only their entities and migrations count. */
  features?: readonly Feature[];
  /** The application's own entities. */
  entities?: readonly Type[];
  /** The application's own migrations. All run in the order of the time in their names. */
  migrations?: readonly Type<MigrationInterface>[];
  /** False for features without `EmailsModule`. Default: true. */
  core?: boolean;
}

const classes = list((path, value) =>
  typeof value === 'function' || isObject(value) ? [] : [`\`${path}\` must be a class (got ${gotten(value)}).`],
);

const RULES: Rules<EmailsDatabase> = { features: featuresRule, entities: classes, migrations: classes, core: flag };

/**
 * TypeORM options for emails, features, and the application's own tables.
 *
 * @throws Error that names every option that is wrong
 *
 * @example
 * ```ts
 * TypeOrmModule.forRoot({ ...emailsDatabase({ features, entities, migrations }), type: 'postgres', url });
 * ```
 */
export function emailsDatabase(given: EmailsDatabase = {}) {
  refuse('emailsDatabase', problemsOf(RULES as Readonly<Record<string, Rule>>, { ...given }));
  const { features = [], entities = [], migrations = [], core = true } = given;
  return {
    entities: [...(core ? emailsEntities : []), ...features.flatMap((feature) => feature.entities ?? []), ...entities],
    migrations: [
      ...(core ? emailsMigrations : []),
      ...features.flatMap((feature) => feature.migrations ?? []),
      ...migrations,
    ],
    /** It would make tables without their functions and triggers. */
    synchronize: false,
  };
}
