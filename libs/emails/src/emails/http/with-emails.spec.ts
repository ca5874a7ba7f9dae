import { type OpenApiDocument, withEmails } from './with-emails.js';

const document = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': { get: {} },
    '/api/emails': { post: { parameters: [] } },
    '/api/emails/{emailId}': { get: {} },
  },
  components: { schemas: { Order: { type: 'object' } }, securitySchemes: { bearer: { type: 'http' } } },
};
const openApi = { paths: { '/topics': { get: { summary: 'List topics' } } }, schemas: { Topic: { type: 'object' } } };
const feature = { name: 'topics', openApi };

describe('withEmails', () => {
  it('replaces the discovered description of the routes of the package', () => {
    const whole = withEmails(document, { prefix: '/api', features: [feature] });
    expect(whole).toMatchObject({ openapi: '3.0.0', info: document.info });
    expect(JSON.stringify(whole)).not.toMatch(/"null"|"const":/);
    const { paths, components } = whole as unknown as { paths: Record<string, object>; components: object };
    expect(paths['/orders']).toEqual({ get: {} });
    expect(paths['/api/emails']).toMatchObject({ post: { operationId: 'sendEmail' } });
    expect(paths['/api/emails/{id}']).toMatchObject({ get: { operationId: 'getEmail' } });
    expect(paths['/api/topics']).toMatchObject(openApi.paths['/topics']);
    expect(Object.keys(paths)).not.toContain('/api/emails/{emailId}');
    expect(components).toMatchObject({
      schemas: { Order: { type: 'object' }, Topic: { type: 'object' }, EmailRequest: { type: 'object' } },
      securitySchemes: { bearer: { type: 'http' } },
      responses: { Unauthorized: expect.anything() },
    });
  });

  it('uses the features of 3.1, and marks the operations that need a key', () => {
    const empty: OpenApiDocument = { paths: {} };
    const { paths, openapi } = withEmails(empty, { prefix: 'api/' });
    expect(openapi).toBe('3.1.0');
    expect(paths).toMatchObject({ '/api/emails': { post: { security: [{ apiKey: [] }] } } });
    expect(JSON.stringify(paths)).toContain('"null"');
  });

  it('adds nothing twice, and does not modify its input', () => {
    const before = structuredClone(document);
    const once = withEmails(document);
    expect(withEmails(once)).toEqual(once);
    expect(document).toEqual(before);
  });

  it('refuses two schemas of one name', () => {
    const other = { ...document, components: { schemas: { Email: { type: 'string' } } } };
    expect(() => withEmails(other)).toThrow('the document has a schema `Email` of its own');
  });
});
