import { randomUUID } from 'node:crypto';
import type { RunningHost } from '../hosts/running-host.js';
import { expectRefused, invalid, missing, NO_ID, NOT_FOUND } from './refusals.js';

export interface Resource {
  path: string;
  object: string;
  table: string;
  /** A valid body of `POST`; a different one for every `n`. */
  body(n: number): Record<string, unknown>;
  /** A required field of `POST`. */
  required: string;
  /** A misspelt field, and the correct one. */
  misspelt: readonly [given: string, meant: string];
  /** A valid body of `PATCH`. */
  change: Record<string, unknown>;
  /** Also found by another key than the id, so that an invalid id is just not found. */
  hasNames: boolean;
  /** Fields of a `PATCH` that repeat the id of the path, in addition to `id`. */
  repeats: string;
  /** A valid body of `PATCH` without fields that an empty text or list would clear. */
  kept: Record<string, unknown>;
  /** Further keys in the answer of a deletion. Default: none. */
  deleted?(id: string): object;
  /** Further routes of one object: method, rest of the path, body. */
  more: readonly (readonly [method: string, suffix: string, body?: unknown])[];
}

interface ListBody {
  object: string;
  has_more: boolean;
  data: { id: string }[];
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/;

/** Rules of `/topics`, `/contacts` and `/templates` alike (contract, sections 1, 3 and 5). */
export function followsTheRulesOfResources(theHost: () => RunningHost, resource: Resource): void {
  const { path, object, table, body, change } = resource;
  const tables = [table];

  async function create(n: number, token?: string): Promise<string> {
    const options = { body: body(n), ...(token !== undefined && { token }) };
    const answer = await theHost().request<{ id: string }>('POST', path, options);
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  const ofOne = (id: string): [string, string, { body?: unknown }][] => [
    ['GET', `${path}/${id}`, {}],
    ['PATCH', `${path}/${id}`, { body: change }],
    ['DELETE', `${path}/${id}`, {}],
    ...resource.more.map(([method, suffix, more]): [string, string, { body?: unknown }] => [
      method,
      `${path}/${id}${suffix}`,
      more === undefined ? {} : { body: more },
    ]),
  ];

  describe(`${path} as a resource`, () => {
    let host: RunningHost;
    let other: string;
    let sending: string;

    beforeAll(async () => {
      host = theHost();
      other = (await host.account(`other ${table}`)).token;
      const key = { name: 'sending', permission: 'sending_access' };
      sending = (await host.request<{ token: string }>('POST', '/api-keys', { body: key })).body.token;
    });

    it('is created, shown, listed, deleted and gone', async () => {
      const created = await host.request<{ id: string; created_at: string }>('POST', path, { body: body(1) });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ object, ...body(1) });
      expect(created.body.created_at).toMatch(TIMESTAMP);
      const { id } = created.body;

      const shown = await host.request('GET', `${path}/${id.toUpperCase()}`);
      expect([shown.status, shown.body]).toEqual([200, created.body]);
      const list = await host.request<ListBody>('GET', `${path}?limit=1`);
      expect([list.status, list.body]).toEqual([
        200,
        { object: 'list', has_more: expect.any(Boolean), data: [shown.body] },
      ]);

      const deleted = await host.request('DELETE', `${path}/${id}`);
      expect([deleted.status, deleted.body]).toEqual([200, { object, id, deleted: true, ...resource.deleted?.(id) }]);
      for (const line of ofOne(id)) await expectRefused(host, line, NOT_FOUND, tables);
      const after = await host.request<ListBody>('GET', path);
      expect(after.body.data.map((entry) => entry.id)).not.toContain(id);
    });

    it('is paged both ways, newest first', async () => {
      const { token } = await host.account(`pages of ${table}`);
      expect((await host.request('GET', path, { token })).body).toEqual({ object: 'list', has_more: false, data: [] });
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.unshift(await create(100 + n, token));
      const page = async (query: string) => {
        const { status, body: list } = await host.request<ListBody>('GET', `${path}?${query}`, { token });
        expect(status).toBe(200);
        return [list.data.map(({ id }) => ids.indexOf(id)), list.has_more];
      };
      expect(await page('')).toEqual([[0, 1, 2, 3, 4], false]);
      expect(await page('limit=2')).toEqual([[0, 1], true]);
      expect(await page(`limit=2&after=${ids[1]}`)).toEqual([[2, 3], true]);
      expect(await page(`limit=2&after=${ids[2]}`)).toEqual([[3, 4], false]);
      expect(await page(`after=${ids[4]}`)).toEqual([[], false]);
      expect(await page(`limit=2&before=${ids[4]}`)).toEqual([[2, 3], true]);
      expect(await page(`limit=2&before=${ids[2]}`)).toEqual([[0, 1], false]);
    });

    it.each([
      ['limit=0', '`limit`'],
      ['limit=101', '`limit`'],
      ['limit=0x10', '`limit`'],
      ['limit=1.0', '`limit`'],
      ['limit=', '`limit`'],
      ['limit[]=5', '`limit`'],
      ['after=none', '`after`'],
      [`after=${randomUUID()}`, '`after`'],
      [`before=${randomUUID()}`, '`before`'],
      [`before=${randomUUID()}&after=${randomUUID()}`, 'not both'],
    ])('has no page at ?%s', async (query, message) => {
      await expectRefused(host, ['GET', `${path}?${query}`], invalid(message), tables);
    });

    it('of another account is as good as absent', async () => {
      const foreign = await create(2, other);
      for (const line of ofOne(foreign)) await expectRefused(host, line, NOT_FOUND, tables);
      await expectRefused(host, ['GET', `${path}?after=${foreign}`], invalid('`after`'), tables);
      const { body: list } = await host.request<ListBody>('GET', `${path}?limit=100`);
      expect(list.data.map(({ id }) => id)).not.toContain(foreign);
    });

    it('is not found at an id that nothing has', async () => {
      for (const line of ofOne(randomUUID())) await expectRefused(host, line, NOT_FOUND, tables);
    });

    it.each(['none', '1', "x'--", '%00', '%F0%9F%98%80', 'a'.repeat(300), `${randomUUID()}0`, '%2e%2e'])(
      'is not found at %s, which is no id',
      async (id) => {
        const refusal = resource.hasNames ? NOT_FOUND : NO_ID;
        for (const line of ofOne(id)) await expectRefused(host, line, refusal, tables);
      },
    );

    it('lets a change repeat the path, and no other', async () => {
      const id = await create(9);
      for (const field of ['id', resource.repeats]) {
        for (const same of [id, id.toUpperCase(), '', null, []]) {
          const answer = await host.request('PATCH', `${path}/${id}`, { body: { ...change, [field]: same } });
          expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id, ...change })]);
        }
        for (const other of [randomUUID(), 'x', 7]) {
          const line = ['PATCH', `${path}/${id}`, { body: { [field]: other } }] as const;
          await expectRefused(host, line, invalid(`\`${field}\``), tables);
        }
      }
    });

    it('keeps in a change what is empty there', async () => {
      const id = await create(10);
      await host.request('PATCH', `${path}/${id}`, { body: resource.kept });
      for (const empty of ['', []]) {
        const nothing = Object.fromEntries(Object.keys(resource.kept).map((field) => [field, empty]));
        const answer = await host.request('PATCH', `${path}/${id}`, { body: nothing });
        expect(answer).toMatchObject({ status: 200, body: resource.kept });
      }
    });

    it('is not touched by a body where none is read', async () => {
      const id = await create(11);
      for (const body of ['{}', 'no JSON']) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        expect((await host.request('GET', path, options)).status).toBe(200);
        expect((await host.request('GET', `${path}/${id}`, options)).status).toBe(200);
      }
      const headers = { 'content-type': 'application/json' };
      expect((await host.request('DELETE', `${path}/${await create(12)}`, { headers })).status).toBe(200);
      expect((await host.request('DELETE', `${path}/${id}`, { body: {} })).status).toBe(200);
    });

    it('needs a key with full access', async () => {
      const id = await create(3);
      const lines = [...ofOne(id), ['GET', path, {}] as const, ['POST', path, { body: body(4) }] as const];
      for (const [method, target, options] of lines) {
        const refuse = (token: string | null, name: string) =>
          expectRefused(host, [method, target, { ...options, token }], { status: 401, name, message: '' }, tables);
        await refuse(null, 'missing_api_key');
        await refuse('re_unknown_unknown', 'invalid_api_key');
        await refuse(sending, 'restricted_api_key');
      }
    });

    it('names the methods it knows', async () => {
      const id = await create(5);
      const suffixes = [...new Set(resource.more.map(([, suffix]) => suffix))];
      const known: [string, string[]][] = [
        [path, ['GET', 'POST']],
        [`${path}/${id}`, ['GET', 'PATCH', 'DELETE']],
        ...suffixes.map((suffix): [string, string[]] => [
          `${path}/${id}${suffix}`,
          resource.more.filter(([, other]) => other === suffix).map(([method]) => method),
        ]),
      ];
      for (const [target, methods] of known) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !methods.includes(name))) {
          const { status, headers, body: answer } = await host.request(method, target);
          expect([method, target, status, headers.allow]).toEqual([method, target, 405, methods.join(', ')]);
          expect(answer).toMatchObject({ statusCode: 405, name: 'method_not_allowed' });
        }
      }
    });

    it('takes JSON objects with known fields only', async () => {
      const id = await create(6);
      const [given, meant] = resource.misspelt;
      for (const [method, target, valid] of [
        ['POST', path, body(7)],
        ['PATCH', `${path}/${id}`, change],
      ] as const) {
        const refuse = (options: object, status: number, message: string) =>
          expectRefused(host, [method, target, options], { status, name: 'validation_error', message }, tables);
        await refuse({ body: valid, headers: { 'content-type': 'text/plain' } }, 415, 'application/json');
        await refuse({ body: '{' }, 400, 'JSON');
        await refuse({ body: [valid] }, 400, 'object');
        await refuse({ body: '"x"' }, 400, 'object');
        await refuse({ body: Buffer.from('7b22ff227d', 'hex') }, 400, 'UTF-8');
        await refuse({ body: { ...valid, surplus: 1 } }, 422, '`surplus` is not a field');
        await refuse({ body: { ...valid, [given]: 'x' } }, 422, `Did you mean \`${meant}\``);
      }
      await expectRefused(host, ['POST', path, { body: {} }], missing(resource.required), tables);
      for (const empty of ['', null, []]) {
        const line = ['POST', path, { body: { ...body(8), [resource.required]: empty } }] as const;
        await expectRefused(host, line, missing(resource.required), tables);
      }
    });
  });
}
