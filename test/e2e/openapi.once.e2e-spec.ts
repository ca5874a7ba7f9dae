import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { deviations, documentedPath } from '../support/reading/openapi.js';

let host: RunningHost;
let document: {
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>;
};

const open = (path: string) => host.request('GET', path, { token: null });

beforeAll(async () => {
  ({ host } = await shareHost());
  ({ body: document } = await host.request<typeof document>('GET', '/openapi.json', { token: null }));
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Routes with their own proof in place of a key, and their answers without it. */
const OWN_PROOF: Readonly<Record<string, number>> = {
  '/files/{kid}/{token}': 403,
  '/hooks/{provider}': 404,
  '/unsubscribe/{token}': 404,
};

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has the version of the host', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../apps/host/package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
  });

  it('names each operation once', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has exactly the paths and methods of the host, and every other method is refused', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const { status, headers } = await host.request('PUT', path.replaceAll(/[{}]/g, ''));
      const allowed = headers.allow?.split(', ').sort();
      const documented = Object.keys(methods).map((method) => method.toUpperCase());
      expect({ path, status, allowed }).toEqual({ path, status: 405, allowed: documented.sort() });
    }
  });

  it('marks operations that need a key', async () => {
    for (const { method, path, operation } of operations()) {
      const { status } = await host.request(method, path.replaceAll(/[{}]/g, ''), { token: null });
      expect({ path, method, status }).toEqual({
        path,
        method,
        status: operation.security ? (OWN_PROOF[path] ?? 200) : 401,
      });
    }
  });
});

describe('the check of every answer in these tests', () => {
  const answer = (status: number, body: unknown, headers = {}) => ({ status, body, headers, text: '' });

  it('finds answers that are missing in the document', () => {
    expect(deviations('GET', '/emails', answer(200, { object: 'list', has_more: false, data: [] }))).toEqual([]);
    expect(deviations('GET', '/emails', answer(200, { object: 'list', has_more: false }))).toHaveLength(1);
    expect(deviations('GET', '/emails', answer(200, { object: 'list', has_more: 0, data: [], more: 1 }))).toHaveLength(
      2,
    );
    expect(deviations('GET', '/emails', answer(418, {}))).toEqual(['GET /emails → 418 is not in the document.']);
    const unauthorized = { statusCode: 401, name: 'missing_api_key', message: 'x' };
    expect(deviations('GET', '/emails', answer(401, unauthorized))).toEqual([
      'GET /emails → 401 lacks the header www-authenticate.',
    ]);
    expect(deviations('POST', '/emails?x', answer(200, { id: 'none' }))).toEqual([expect.stringContaining('body/id')]);
  });

  it('matches paths with parameters', () => {
    expect(documentedPath('//contacts/ann%40to.test/topics?limit=1')).toBe('/contacts/{id_or_email}/topics');
    expect(documentedPath('/contacts/a/b')).toBeUndefined();
  });
});

describe('GET /docs', () => {
  it('is a page that runs in a browser, and loads nothing remote', async () => {
    const { status, headers, text } = await open('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/sandbox|unsafe-eval|https?:/);
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources).toEqual(['data:,', 'docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
    expect(text).not.toMatch(/<script>|\son\w+=|style=/);
    for (const source of sources.slice(1)) {
      const file = await open(`/${source}`);
      expect(file.status).toBe(200);
      expect(file.headers['content-type']).toMatch(source?.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(file.text.length).toBeGreaterThan(50);
    }
  });

  it('serves only its own files', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html']) {
      expect(await open(path)).toMatchObject({ status: 404, body: { name: 'not_found' } });
    }
  });
});
