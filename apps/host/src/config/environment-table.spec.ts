import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ENVIRONMENT, ENVIRONMENT_ROWS } from './environment-table.js';
import { readSettings } from './read-settings.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the table of the environment', () => {
  it('has every variable that is read, and no other', () => {
    const asked = new Set<string>();
    const environment = new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name));
          return undefined;
        },
      },
    );
    readSettings(environment);
    expect([...asked].sort()).toEqual(Object.keys(ENVIRONMENT).sort());
  });

  it('is the only access to the environment', () => {
    const files = ['apps/host/src', 'libs/emails/src', 'libs/dashboard/src'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(sources.filter((file) => /\bprocess\.env\b/.test(code(file)))).toEqual([
      'apps/host/src/config/environment.ts',
    ]);
  });

  it('has every variable that docker-compose.yml gives the host', () => {
    const { 'x-host': host, services } = parse(read('docker-compose.yml'), { merge: true });
    const given = [host, services.api, services.worker].flatMap(({ environment }) => Object.keys(environment));
    expect(given.filter((name) => !Object.hasOwn(ENVIRONMENT, name))).toEqual([]);
  });

  it('describes effect, valid values and default of each', () => {
    for (const [name, row] of ENVIRONMENT_ROWS) {
      expect([name, row.does]).toEqual([name, expect.stringMatching(/\.$/)]);
      expect([name, row.default ?? row.unset]).not.toEqual([name, undefined]);
    }
  });

  it.each(ENVIRONMENT_ROWS.filter(([, row]) => typeof row.default === 'string'))(
    '%s accepts its own default',
    (_, { parse: parseValue, default: value }) => {
      expect(parseValue(String(value))).toBe(value);
    },
  );
});
