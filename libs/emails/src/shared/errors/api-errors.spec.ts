import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_ERRORS, type ApiErrorName } from './api-errors.js';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/** `400 validation_error` for every error that a source makes by its name. */
function madeIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/new ApiError\(\s*(\d+),\s*'(\w+)'/g),
    ])
    .map(([, status, name]) => `${status} ${name}`);
}

const MADE = new Set(['libs/emails/src', 'libs/dashboard/src', 'apps/host/src'].flatMap(madeIn));

describe('the table of errors', () => {
  it('has exactly the errors that the code makes', () => {
    const rows = Object.entries(API_ERRORS).flatMap(([name, whens]) =>
      Object.keys(whens).map((status) => `${status} ${name}`),
    );
    expect([...MADE].sort()).toEqual(rows.sort());
  });

  it('describes each cause in words that complete a sentence', () => {
    for (const name of Object.keys(API_ERRORS) as ApiErrorName[]) {
      for (const when of Object.values(API_ERRORS[name])) expect(when).toMatch(/^[a-z`].*[^.]$/);
    }
  });
});
