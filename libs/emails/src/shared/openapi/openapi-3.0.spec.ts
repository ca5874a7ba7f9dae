import type { OpenApiPart } from './components.js';
import { toOpenApi30 } from './openapi-3.0.js';

describe('a schema of OpenAPI 3.1', () => {
  it.each<[OpenApiPart, OpenApiPart]>([
    [
      { type: ['string', 'null'], maxLength: 5 },
      { type: 'string', nullable: true, maxLength: 5 },
    ],
    [{ type: ['string', 'number', 'null'] }, { oneOf: [{ type: 'string' }, { type: 'number' }], nullable: true }],
    [{ type: ['string', 'array'] }, { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] }],
    [{ const: 'Buffer' }, { enum: ['Buffer'] }],
    [
      { type: 'string', contentEncoding: 'base64' },
      { type: 'string', format: 'byte' },
    ],
    [
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    [{ $ref: '#/components/schemas/Subscription' }, { enum: ['opt_in', 'opt_out'] }],
    [
      { type: 'array', items: { const: 1 } },
      { type: 'array', items: { enum: [1] } },
    ],
    [
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    [
      { type: 'object', propertyNames: { pattern: 'a' }, additionalProperties: { type: ['number', 'null'] } },
      { type: 'object', additionalProperties: { type: 'number', nullable: true } },
    ],
    [
      { type: 'object', properties: { a: { const: 'x' } }, required: ['a'] },
      { type: 'object', properties: { a: { enum: ['x'] } }, required: ['a'] },
    ],
  ])('%j is %j in 3.0', (given, expected) => {
    expect(toOpenApi30(given)).toEqual(expected);
  });

  it('replaces references by the shared schemas', () => {
    const { oneOf } = toOpenApi30({ $ref: '#/components/schemas/Mailboxes', description: 'The recipient.' });
    expect(oneOf).toEqual([
      expect.objectContaining({ type: 'string', example: 'Ann <ann@example.com>' }),
      expect.objectContaining({ type: 'array', maxItems: 50 }),
    ]);
  });
});
