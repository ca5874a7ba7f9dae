import { anything, gotten, isObject, problemsOf, refuse } from './rules.js';

type Names<Options> = { readonly [Name in keyof Options]-?: true };

/**
 * Returns a check of the options of one method, which would ignore an unknown option silently.
 *
 * @param names all of its options
 */
export function callOptions<Options>(method: string, names: Names<Options>): (options: unknown) => void {
  const joins = 'transaction' in names;
  const rules = Object.fromEntries(Object.keys(names).map((name) => [name, anything]));
  const elsewhere = (name: string) => (joins && name === 'manager' ? 'is now `transaction`' : undefined);
  return (options) => {
    if (!isObject(options)) return refuse(method, [`Its options must be an object (got ${gotten(options)}).`]);
    const isTransaction = joins && typeof options.query === 'function';
    refuse(method, isTransaction ? ['Pass `{ transaction }`.'] : problemsOf(rules, options, '', elsewhere));
  };
}
