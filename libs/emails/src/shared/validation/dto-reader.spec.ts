import { IsIn, IsOptional, IsString } from 'class-validator';
import { DtoReader } from './dto-reader.js';
import { Field } from './field.js';
import { checkRepeated, isSameId, type Repeated } from './repeated.js';
import { IsLine } from './rules.js';
import { says } from './sentence.js';

class ThingDto {
  @Field()
  @IsLine(5)
  name!: string;

  @Field()
  @IsOptional()
  @IsIn(['a', 'b'], says('must be `a` or `b`'))
  kind?: string | undefined;
}

const thing = DtoReader.of(ThingDto);

const check = async (body: string) => thing.read(JSON.parse(body));
const refusal = (statusCode: number, name: string, message: string) =>
  expect.objectContaining({ statusCode, name, message: expect.stringContaining(message) });

describe('DtoReader', () => {
  it('returns the given fields', async () => {
    await expect(check('{"name":"abc","kind":"a"}')).resolves.toEqual({ name: 'abc', kind: 'a' });
  });

  it.each(['""', 'null', '[]'])('treats %s as absent', async (empty) => {
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
  class SpelledDto {
    @Field({ spellings: ['kinds', 'Kind'], reads: shout })
    @IsOptional()
    @IsLine(5)
    kind?: string | undefined;
  }
  const spelled = DtoReader.of(SpelledDto);

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

  it('are checked like the field', () => {
    expect(() => spelled.read({ kinds: 'abcdef' })).toThrow('`kind` must be one line of 1 to 5');
    expect(() => spelled.read({ kinds: 7 })).toThrow('`kind` must be');
    expect(spelled.read({ kinds: null })).toEqual({});
  });
});

describe('a field that null clears', () => {
  class ChangesDto {
    @Field()
    @IsOptional()
    @IsLine(5)
    name?: string | undefined;

    @Field({ nullable: true })
    @IsOptional()
    @IsString(says('must be a string'))
    text?: string | null | undefined;
  }
  const changes = DtoReader.of(ChangesDto);

  it('distinguishes a cleared field from an absent one', () => {
    expect(changes.read({ name: 'abc', text: null })).toEqual({ name: 'abc', text: null });
    expect(changes.read({ name: 'abc' })).toEqual({ name: 'abc' });
    expect(changes.read({ name: null })).toEqual({});
  });

  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['an empty list', []],
    ['undefined', undefined],
  ])('treats %s as absent, since clients send it', (_, empty) => {
    expect(changes.read({ name: empty, text: empty })).toEqual({});
  });

  it('refuses an empty name of an unknown field', () => {
    expect(() => changes.read({ nmae: '' })).toThrow('Did you mean `name`?');
  });
});

describe('checkRepeated', () => {
  const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

  it.each<[string, Repeated]>([
    ['the id', { id: ID, topic_id: undefined }],
    ['the id in other letters', { id: ID.toUpperCase() }],
    ['nothing', { id: null, topic_id: undefined }],
  ])('takes %s', (_, given) => {
    expect(() => checkRepeated(given, isSameId(ID))).not.toThrow();
  });

  it.each<[string, Repeated]>([
    ['another id', { id: ID, topic_id: ID.replace('0', '1') }],
    ['an invalid id', { topic_id: 'x' }],
  ])('refuses %s', (_, given) => {
    expect(() => checkRepeated(given, isSameId(ID))).toThrow(/^`topic_id` cannot be changed/);
  });
});
