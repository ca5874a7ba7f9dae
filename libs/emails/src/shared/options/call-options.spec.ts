import { callOptions } from './call-options.js';

const joining = callOptions<{ transaction?: object; key?: string }>('Service.send', { transaction: true, key: true });
const plain = callOptions<{ key?: string }>('Service.find', { key: true });

describe('callOptions', () => {
  it('accepts the options of the method, and undefined ones', () => {
    expect(() => joining({ transaction: {}, key: 'a', other: undefined })).not.toThrow();
    expect(() => plain({})).not.toThrow();
  });

  it.each<[object | null, string]>([
    [{ manager: {} }, 'Service.send: `manager` is now `transaction`.'],
    [{ Key: 'a' }, 'Service.send: `Key` is no option; did you mean `key`?'],
    [{ nothing: 1 }, 'Service.send: `nothing` is no option.'],
    [null, 'Service.send: Its options must be an object (got null).'],
    [{ query: () => {}, connection: {} }, 'Service.send: Pass `{ transaction }`.'],
  ])('refuses %j and says what would be right', (options, message) => {
    expect(() => joining(options)).toThrow(new Error(message));
  });

  it('names no transaction where the method joins none', () => {
    expect(() => plain({ manager: {}, query: () => {} })).toThrow('`manager` is no option. `query` is no option.');
  });
});
