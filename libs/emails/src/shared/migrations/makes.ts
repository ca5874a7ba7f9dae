import type { MigrationInterface } from 'typeorm';

/** Parts of a table, each a list of names with blanks between them. */
export interface CreatedTable {
  columns?: string;
  /** Includes those of primary keys. */
  indexes?: string;
  foreignKeys?: string;
  /** Columns with their own sequence. */
  sequences?: string;
  triggers?: string;
}

/** Objects that a migration creates in the package's schema, and that the start checks for. */
export interface CreatedObjects {
  /** By name. A table may have parts from more than one migration. */
  tables?: Readonly<Record<string, CreatedTable>>;
  /** Names of functions, with blanks between them. */
  functions?: string;
}

/** A migration with a list of its objects. */
export type FeatureMigration = (new () => MigrationInterface) & { readonly makes?: CreatedObjects };

/** An object of a migration, such as `index emails.emails_pkey`, by the name of the migration. */
export function objectsOf(migrations: readonly FeatureMigration[]): Map<string, string> {
  const objects = new Map<string, string>();
  for (const { name, makes } of migrations) {
    for (const object of makes ? allOf(makes) : []) if (!objects.has(object)) objects.set(object, name);
  }
  return objects;
}

function allOf({ tables = {}, functions }: CreatedObjects): string[] {
  return [
    ...Object.entries(tables).flatMap(([table, { columns, indexes, foreignKeys, sequences, triggers }]) => [
      `table ${table}`,
      ...named(`column ${table}.`, columns),
      ...named(`index ${table}.`, indexes),
      ...named(`foreign key ${table}.`, foreignKeys),
      ...named(`sequence ${table}.`, sequences),
      ...named(`trigger ${table}.`, triggers),
    ]),
    ...named('function ', functions),
  ];
}

function named(prefix: string, names = ''): string[] {
  return names.split(/\s+/).flatMap((name) => (name === '' ? [] : [prefix + name]));
}
