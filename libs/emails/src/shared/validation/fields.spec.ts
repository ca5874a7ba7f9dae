import { optional, required } from './field.js';
import { Fields } from './fields.js';
import { readChanges } from './read-fields.js';
import { checkRepeated, isSameId, type Repeated, repeated } from './repeated.js';
import { line, oneOf, text } from './rule.js';

const thing = new Fields({
  name: required(line(5)),
  kind: optional(oneOf(['a', 'b'], 'must be `a` or `b`')),
});

const check = async (body: string) => thing.read(JSON.parse(body));
const refusal = (statusCode: number, name: string, message: string) =>
  expect.objectContaining({ statusCode, name, message: expect.stringContaining(message) });

describe('Fields', () => {
  it('gives the fields that there are', async () => {
    await expect(check('{"name":"abc","kind":"a"}')).resolves.toEqual({ name: 'abc', kind: 'a' });
  });

  it.each(['""', 'null', '[]'])('takes %s for absent', async (empty) => {
    await expect(check(`{"name":"abc","kind":${empty}}`)).resolves.toEqual({ name: 'abc' });
    await expect(check(`{"name":${empty}}`)).rejects.toEqual(refusal(422, 'missing_required_field', '`name`'));
  });

  it.each([
    ['{"name":"abcdef"}', '`name` must be one line of 1 to 5'],
    ['{"name":"   "}', '`name` must be'],
    ['{"name":7}', '`name` must be'],
    ['{"name":["abc"]}', '`name` must be'],
    ['{"name":"a\\nb"}', '`name` must be'],
    ['{"name":"a\\u0000b"}', '`name` must be'],
    ['{"name":"a\\ud800b"}', '`name` must be'],
    ['{"name":"a\\u202eb"}', '`name` must be'],
    ['{"name":"abc","kind":"c"}', '`kind` must be `a` or `b`'],
    ['{"name":"abc","kind":{}}', '`kind` must be `a` or `b`'],
    ['{"nmae":"abc"}', 'Did you mean `name`?'],
    ['{"name":"abc","surplus":1}', '`surplus` is not a field'],
    ['{"name":"abc","__proto__":{}}', '`__proto__` is not a field'],
    ['{"name":"abc","constructor":{}}', '`constructor` is not a field'],
    ['{"name":"abc","jane@person.test":1}', '`…` is not a field. Leave it out.'],
    ['{"name":"abc","toString":1}', '`toString` is not a field'],
  ])('refuses %s', async (body, message) => {
    await expect(check(body)).rejects.toEqual(refusal(422, 'validation_error', message));
  });
});

describe('other spellings of a field', () => {
  const shout = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value);
  const spelled = new Fields({ kind: optional(line(5), { spellings: ['kinds', 'Kind'], reads: shout }) });

  it.each([
    { kind: 'a' },
    { kinds: 'a' },
    { Kind: 'a' },
    { kind: 'A', kinds: 'a' },
    { kinds: 'a', kind: 'a', Kind: 'A' },
    { kind: null, kinds: 'a' },
    { kind: 'a', kinds: '' },
  ])('make one of %j', (body) => {
    expect(spelled.read(body)).toEqual({ kind: 'A' });
  });

  it.each([
    { kind: 'a', kinds: 'b' },
    { kinds: 'b', kind: 'a' },
    { Kind: 'b', kinds: 'a' },
  ])('are refused with two values: %j', (body) => {
    expect(() => spelled.read(body)).toThrow(/`(kinds|Kind)` is another spelling of `kind`/);
  });

  it('are checked as the field is', () => {
    expect(() => spelled.read({ kinds: 'abcdef' })).toThrow('`kind` must be one line of 1 to 5');
    expect(() => spelled.read({ kinds: 7 })).toThrow('`kind` must be');
    expect(spelled.read({ kinds: null })).toEqual({});
  });
});

describe('readChanges', () => {
  const changes = new Fields({
    name: optional(line(5)),
    text: optional(text, { keepsEmpty: true }),
    id: optional(repeated),
  });

  it('tells what is cleared from what is not named', () => {
    expect(readChanges({ name: 'abc', text: null }, changes)).toEqual({ name: 'abc', text: null });
    expect(readChanges({ name: 'abc' }, changes)).toEqual({ name: 'abc' });
  });

  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['an empty list', []],
    ['undefined', undefined],
  ])('takes %s for not named, as clients send it', (_, empty) => {
    expect(readChanges({ name: empty, text: empty, id: empty }, changes)).toEqual({});
  });

  it('refuses an empty field that is none', () => {
    expect(() => readChanges({ nmae: '' }, changes)).toThrow('Did you mean `name`?');
  });
});

describe('checkRepeated', () => {
  const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

  it.each<[string, Repeated]>([
    ['the id', { id: ID, topic_id: undefined }],
    ['the id in other letters', { id: ID.toUpperCase() }],
    ['nothing', { id: null, topic_id: undefined }],
  ])('takes %s', (_, said) => {
    expect(() => checkRepeated(said, isSameId(ID))).not.toThrow();
  });

  it.each<[string, Repeated]>([
    ['another id', { id: ID, topic_id: ID.replace('0', '1') }],
    ['what is no id', { topic_id: 'x' }],
  ])('refuses %s', (_, said) => {
    expect(() => checkRepeated(said, isSameId(ID))).toThrow(/^`topic_id` cannot be changed/);
  });
});
