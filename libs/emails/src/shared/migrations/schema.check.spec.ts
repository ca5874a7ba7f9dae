import type { CreatedObjects, FeatureMigration } from './makes.js';
import { checkSchema } from './schema.check.js';

class MakeThings {
  static readonly makes: CreatedObjects = {
    tables: { things: { columns: 'id name', indexes: 'things_pkey', triggers: 'number_at_commit' } },
    functions: 'number_at_commit',
  };
  up = async () => {};
  down = async () => {};
}

class ExpandThings extends MakeThings {
  static override readonly makes: CreatedObjects = {
    tables: { things: { columns: 'note', indexes: '', triggers: '' } },
    functions: '',
  };
}

const MIGRATIONS: FeatureMigration[] = [MakeThings, ExpandThings];
const ALL = [
  'table things',
  'column things.id',
  'column things.name',
  'column things.note',
  'index things.things_pkey',
  'trigger things.number_at_commit',
  'function number_at_commit',
];

const check = (there: readonly string[], isInitialized = true, type = 'postgres') => {
  const query = async () => there.map((object) => ({ object }));
  return checkSchema('ThingsModule', { query, isInitialized, options: { type } } as never, MIGRATIONS);
};

describe('checkSchema', () => {
  it('accepts a complete schema with additional objects', async () => {
    await check([...ALL, 'table others', 'column things.next']);
  });

  it.each(ALL.slice(1))('refuses a schema without %s, and names its migration', async (object) => {
    const migration = object === 'column things.note' ? 'ExpandThings' : 'MakeThings';
    await expect(check(ALL.filter((one) => one !== object))).rejects.toThrow(
      `ThingsModule: the database lacks ${object} in the schema nestjs_emails. Run the migrations before the start: ${migration}.`,
    );
  });

  it('names a missing table without its parts, and all migrations that have to run', async () => {
    await expect(check([])).rejects.toThrow(
      'lacks table things, function number_at_commit in the schema nestjs_emails. Run the migrations before the start: MakeThings, ExpandThings.',
    );
  });

  it('refuses a schema of an earlier version', async () => {
    await expect(check([...ALL, 'index deliveries.deliveries_unindexed'])).rejects.toThrow(
      'ThingsModule: The schema nestjs_emails was made by an earlier version, whose tables this one cannot use: drop it, ' +
        'then run the migrations.',
    );
  });

  it('refuses a database of another kind', async () => {
    await expect(check(ALL, true, 'mysql')).rejects.toThrow('ThingsModule needs a data source of type `postgres`');
  });

  it('does not query a data source that the host initializes later', async () => {
    await check([], false);
  });
});
