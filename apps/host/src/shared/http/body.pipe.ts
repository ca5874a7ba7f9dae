import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type ValidationError, validate } from 'class-validator';
import { ApiError, didYouMean } from 'nestjs-emails';

/**
 * Turns a JSON body into its DTO. Empty values mean "absent" (contract, section 1). Messages of constraints are written
 * to follow the name of the field: "must be …".
 *
 * @throws ApiError for the first of: a field that is unknown, one that is missing, one that is wrong
 */
@Injectable()
export class BodyPipe implements PipeTransform<object, Promise<object>> {
  async transform(body: object, { metatype }: ArgumentMetadata): Promise<object> {
    const dto: object = metatype === undefined ? {} : new metatype();
    fill(dto, body);
    const errors = await validate(dto, { stopAtFirstError: true, forbidUnknownValues: false });
    const error = errors.find(({ value }) => value === undefined) ?? errors[0];
    if (error !== undefined) {
      throw refusalOf(error);
    }
    return dto;
  }
}

function fill(dto: object, body: object): void {
  const known = Object.keys(dto);
  for (const [field, value] of Object.entries(body)) {
    if (!known.includes(field)) {
      throw unknownField(field, known);
    }
    if (!isEmpty(value)) {
      Object.assign(dto, { [field]: value });
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function refusalOf({ property, value, constraints }: ValidationError): ApiError {
  const [text = 'is wrong'] = Object.values(constraints ?? {});
  return value === undefined ? ApiError.missingField(property) : ApiError.invalid(`\`${property}\` ${text}.`);
}

function unknownField(field: string, known: readonly string[]): ApiError {
  const meant = didYouMean(field, known);
  return ApiError.invalid(
    `\`${field.slice(0, 50)}\` is not a field. ${meant === undefined ? 'Leave it out.' : `Did you mean \`${meant}\`?`}`,
  );
}
