import { IsOptional } from 'class-validator';
import { answerSchema, requestSchema } from './dto-schema.js';
import { AnswerField } from './field.js';

class NameDto {
  @AnswerField({ schema: { type: 'string' } })
  name!: string;

  @AnswerField({ schema: { type: 'string' } })
  @IsOptional()
  title?: string;
}

class AllOptionalDto {
  @AnswerField({ schema: { type: 'string' } })
  @IsOptional()
  title?: string;
}

describe.each([
  ['a body', requestSchema],
  ['an answer', answerSchema],
])('the schema of %s', (_what, schema) => {
  it('names the required fields', () => {
    expect(schema(NameDto)).toMatchObject({ type: 'object', required: ['name'], additionalProperties: false });
  });

  // OpenAPI 3.0.3, section 4.7.24: the list has at least one name.
  it('has no empty list of them', () => {
    expect(schema(AllOptionalDto)).not.toHaveProperty('required');
  });
});
