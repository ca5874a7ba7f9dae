import { type OpenApiPart, schema } from './components.js';

/*
 * Schemas of fields that many answers have.
 */

export const uuid: OpenApiPart = { type: 'string', format: 'uuid' };
export const text: OpenApiPart = { type: 'string' };
export const textOrNull: OpenApiPart = { type: ['string', 'null'] };
export const uuidOrNull: OpenApiPart = { oneOf: [uuid, { type: 'null' }] };
/** The format of the contract: `2026-11-21 05:26:01.123456+00`. */
export const timestamp: OpenApiPart = schema('Timestamp');
export const timestampOrNull: OpenApiPart = { oneOf: [timestamp, { type: 'null' }] };
export const mailboxes: OpenApiPart = { type: 'array', items: schema('Mailbox') };
/** `2026-11-22T05:26:01.123Z` */
export const isoTime: OpenApiPart = { type: 'string', format: 'date-time' };

export const constant = (value: string | boolean): OpenApiPart => ({ const: value });
export const words = (values: readonly string[]): OpenApiPart => ({ enum: values });
