import { type ValidationError, validate } from 'class-validator';
import { ApiError } from '../../../shared/errors/api-error.js';
import { didYouMean } from '../../../shared/text/did-you-mean.js';
import { AttachmentDto } from './attachment.dto.js';
import type { EmailRequest } from './email-request.js';
import { SendEmailDto } from './send-email.dto.js';
import { TagDto } from './tag.dto.js';
import { TemplateDto } from './template.dto.js';
import { fits } from './validation/fits.js';

const TEMPLATE = 'an object with `id` and optional `variables`';
const LISTS_OF_MAILBOXES = ['to', 'cc', 'bcc', 'reply_to'] as const;

/**
 * Turns the body of `POST /emails` into a checked request.
 *
 * @throws ApiError with the first rule that it breaks
 */
export async function readEmailRequest(body: object): Promise<EmailRequest> {
  const dto = toDto(body as Record<string, unknown>);
  if (fits(dto)) return dto;
  const errors = await validate(dto, { stopAtFirstError: true, forbidUnknownValues: false });
  const error = errors.find(isMissing) ?? errors[0];
  if (error) throw toApiError(error);
  return dto;
}

function toDto(body: Record<string, unknown>): SendEmailDto {
  const fields = { ...body };
  for (const list of LISTS_OF_MAILBOXES) {
    if (typeof fields[list] === 'string' && fields[list] !== '') fields[list] = [fields[list]];
  }
  const dto = fill(SendEmailDto, fields, '', ['text']);
  if (dto.template !== undefined) dto.template = fillPart(TemplateDto, dto.template, 'template', TEMPLATE);
  dto.attachments = fillEach(
    AttachmentDto,
    dto.attachments,
    'attachments',
    'an array of up to 1000 attachments',
    1_000,
  );
  dto.tags = fillEach(TagDto, dto.tags, 'tags', 'an array of up to 75 `{name, value}`', 75);
  return dto;
}

/** What is no object stops here: class-validator would take an array in its place for a list of checked objects. */
function fillPart<T extends object>(type: new () => T, part: unknown, path: string, expected: string): T {
  if (!isObject(part)) throw ApiError.invalid(`\`${path}\` must be ${expected}.`);
  return fill(type, part, `${path}.`);
}

/** Too long a list stops here as well: class-validator would check every entry of it before it said so. */
function fillEach<T extends object>(
  type: new () => T,
  list: unknown,
  path: string,
  expected: string,
  maxLength: number,
): T[] {
  if (!Array.isArray(list) || list.length > maxLength) throw ApiError.invalid(`\`${path}\` must be ${expected}.`);
  return list.map((item, index) => fillPart(type, item, `${path}[${index}]`, 'an object'));
}

/**
 * An instance with the fields given. Empty values mean "absent" (contract, section 1), but for those in `keepEmpty`.
 * A field that the class does not have is refused.
 */
function fill<T extends object>(type: new () => T, fields: object, path: string, keepEmpty: string[] = []): T {
  const instance = new type();
  const values = instance as Record<string, unknown>;
  const known = Object.keys(instance);
  for (const [key, value] of Object.entries(fields)) {
    if (!known.includes(key)) throw unknownField(path, key, known);
    if (!isEmpty(value) || (value === '' && keepEmpty.includes(key))) values[key] = value;
  }
  return instance;
}

function unknownField(path: string, key: string, known: readonly string[]): ApiError {
  const meant = didYouMean(key, known);
  const hint = meant ? `Did you mean \`${path}${meant}\`?` : 'Leave it out.';
  return ApiError.invalid(`\`${path}${key.slice(0, 50)}\` is not a field. ${hint}`);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMissing({ value, children }: ValidationError): boolean {
  return value === undefined && !children?.length;
}

function toApiError(error: ValidationError): ApiError {
  let path = error.property;
  let current = error;
  while (!current.constraints && current.children?.[0]) {
    current = current.children[0];
    path += /^\d+$/.test(current.property) ? `[${current.property}]` : `.${current.property}`;
  }
  if (isMissing(current)) return ApiError.missingField(path);
  const message = Object.values(current.constraints ?? {})[0] ?? 'is not valid';
  const place = /^(\[\d+\]|\.\S+)/.exec(message)?.[0] ?? '';
  const rest = message.slice(place.length).trim();
  return ApiError.invalid(`\`${path}${place}\` ${rest}${rest.endsWith('.') ? '' : '.'}`);
}
