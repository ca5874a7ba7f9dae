import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PublishedTemplate, TemplateSource, TemplateVariable } from '../../emails/ports/template-source.js';
import { checkTemplate } from '../../shared/text/template-text.js';
import type { ContractCase, Make } from './contract-case.js';

/** A published template. */
export interface TemplateSourceExamples {
  accountId: string;
  /** Its id and, if it has one, its alias. */
  ids: readonly string[];
  /** The expected template. Default: any well-formed template. */
  template?: PublishedTemplate;
  /** An account without this template. Omit it if all accounts have the same templates. */
  otherAccountId?: string;
}

/** A caller may ask for any text of 1 to 255 characters. */
const NOBODYS = ['__proto__', 'constructor', 'toString', "' OR 1=1 --", '%', '*', '../x', ' ', 'é', 'x'.repeat(255)];

/**
 * Checks the promises that `EmailsModule` relies on when it asks for a template.
 *
 * @example
 * ```ts
 * declare const source: TemplateSource;
 * for (const { name, run } of templateSourceContract(() => source, { accountId: 'acme', ids: ['welcome'] })) test(name, run);
 * ```
 */
export function templateSourceContract(
  make: Make<TemplateSource>,
  { accountId, ids, template, otherAccountId }: TemplateSourceExamples,
): ContractCase[] {
  const findsNothing = async (account: string, asked: readonly string[]) => {
    const source = await make();
    for (const id of asked) {
      const found = await source.find(account, id);
      assert.equal(found, undefined, `${JSON.stringify(id)} must be answered with undefined.`);
    }
  };
  const cases: ContractCase[] = [
    {
      name: 'finds a published template by its id, and by its alias',
      run: async () => {
        const source = await make();
        for (const id of ids) {
          const found = checked(await source.find(accountId, id), id);
          if (template) assert.deepEqual(found, template, `The template found by ${id} is another one.`);
        }
      },
    },
    {
      name: 'finds nothing by an unknown id of any form',
      run: () => findsNothing(accountId, [randomUUID(), ...NOBODYS]),
    },
  ];
  if (otherAccountId === undefined) return cases;
  return [...cases, { name: 'keeps the templates of accounts apart', run: () => findsNothing(otherAccountId, ids) }];
}

function checked(found: PublishedTemplate | undefined, id: string): PublishedTemplate {
  assert.ok(found, `There must be a template by ${id}.`);
  for (const field of ['from', 'subject', 'html', 'text'] as const) {
    const value = found[field];
    assert.ok(value === null || typeof value === 'string', `\`${field}\` must be text or null.`);
    if (value !== null) checkTemplate(value);
  }
  assert.ok(isTexts(found.replyTo), '`replyTo` must be a list of texts.');
  assert.ok(Array.isArray(found.variables), '`variables` must be a list.');
  for (const variable of found.variables) checkVariable(variable);
  const keys = found.variables.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'No key may be there twice.');
  return found;
}

function checkVariable({ key, type, fallback }: TemplateVariable): void {
  assert.match(key, /^[A-Za-z0-9_]{1,50}$/, 'A key has 1 to 50 letters, digits and underscores.');
  assert.ok(type === 'string' || type === 'number', `The type of ${key} must be string or number.`);
  assert.ok(fallback === null || typeof fallback === type, `The fallback of ${key} must be a ${type} or null.`);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
