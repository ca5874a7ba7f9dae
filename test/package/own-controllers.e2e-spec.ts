import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { until } from '../support/basics/wait-for.js';
import { spawnProgram } from '../support/hosts/host-process.js';
import { packageFolder } from '../support/jest/test-environment.js';
import { httpRequest } from '../support/requests/http-request.js';

interface Schema {
  required?: string[];
  properties: Record<string, object>;
}

interface Document {
  openapi: string;
  paths: object;
  components: { schemas: Record<string, Schema> };
}

/** Output of the host. */
interface Host {
  port: number;
  /** Documents of `SwaggerModule`, alone and with the library's. */
  document: Document;
  joined: Document;
  /** Fields that an older class-validator refuses. */
  older: { good: string[]; bad: string[] };
}

let host: Host;

beforeAll(async () => {
  const file = join(packageFolder(), 'own-controllers.mjs');
  copyFileSync(fileURLToPath(new URL('../hosts/own-controllers.mjs', import.meta.url)), file);
  const program = spawnProgram(file, [], {});
  await until(() => /^\{"port".*\}$/m.test(program.stdout) || !program.running);
  host = JSON.parse(/^\{"port".*\}$/m.exec(program.stdout)?.[0] ?? program.output);
});

function post(kind: string, body: object) {
  return httpRequest<{ message?: string[] }>(`http://127.0.0.1:${host.port}/own`, 'POST', `/${kind}`, { body });
}

const EMAIL = { from: 'from@from.test', to: 'to@to.test', subject: 'Hi', text: 'Works.' };
const SPELT_TWICE = { content: 'YQ==', contentType: 'a/b', content_type: 'c/d' };

describe("a controller of the host with the library's class", () => {
  it.each<[string, object, object]>([
    [
      'whole',
      { ...EMAIL, reply_to: 'a@b.test', tags: { a: 'b' } },
      { reply_to: ['a@b.test'], tags: [{ name: 'a', value: 'b' }] },
    ],
    ['picked', { to: 'to@to.test', subject: 'Hi' }, { to: ['to@to.test'], subject: 'Hi', tags: [] }],
    [
      'picked',
      { to: 'to@to.test', subject: 'Hi', attachments: [{ content: 'YQ==', contentType: 'a/b' }] },
      { attachments: [{ content_type: 'a/b' }] },
    ],
    ['omitted', EMAIL, { to: ['to@to.test'], text: 'Works.' }],
    ['partial', { subject: 'Hi' }, { subject: 'Hi' }],
    ['joined', { subject: 'Hi', email: 'jane@to.test', first_name: null }, { subject: 'Hi', email: 'jane@to.test' }],
    ['extended', { ...EMAIL, campaign: 7 }, { campaign: 7, to: ['to@to.test'] }],
  ])('%s receives %j normalised', async (kind, body, read) => {
    expect(await post(kind, body)).toMatchObject({ status: 201, body: read });
  });

  it.each<[string, object, string]>([
    ['whole', { ...EMAIL, colour: 'red' }, 'property colour should not exist'],
    ['whole', { ...EMAIL, replyTo: 'a@b.test' }, 'property replyTo should not exist'],
    ['whole', { ...EMAIL, attachments: [SPELT_TWICE] }, '`contentType` is another spelling of `content_type`'],
    ['whole', { ...EMAIL, to: null }, '`to`'],
    ['picked', { subject: 'Hi' }, '`to`'],
    ['picked', { to: 'to@to.test', subject: 'Hi', text: 'x' }, 'property text should not exist'],
    ['picked', { to: 'to@to.test', subject: 'Hi', attachments: [{ filename: 7 }] }, 'attachments.0.'],
    ['omitted', { ...EMAIL, reply_to: 'a@b.test' }, 'property reply_to should not exist'],
    ['partial', { to: 'nobody' }, '`to[0]`'],
    ['joined', { subject: 7, email: 'jane@to.test' }, '`subject`'],
    ['joined', { subject: 'Hi' }, '`email`'],
    ['extended', { ...EMAIL, campaign: 'x' }, 'campaign must be an integer'],
    ['extended', { ...EMAIL, campaign: 1, to: [] }, '`to`'],
  ])('%s refuses %j', async (kind, body, message) => {
    const answer = await post(kind, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContainEqual(expect.stringContaining(message));
  });

  it('is described to Swagger', async () => {
    expect(host.document.openapi).toMatch(/^3\.0\./);
    expect(await new Validator().validate({ ...host.document })).toEqual({ valid: true });
    const { SendEmailDto, PickedDto, PartialDto, AttachmentDto } = host.document.components.schemas;
    expect(SendEmailDto?.required).toEqual(['to']);
    expect(SendEmailDto?.properties).toMatchObject({ subject: { type: 'string' }, scheduled_at: expect.any(Object) });
    expect(Object.keys(PickedDto?.properties ?? {}).sort()).toEqual(['attachments', 'subject', 'tags', 'to']);
    expect(PartialDto?.required ?? []).toEqual([]);
    expect(AttachmentDto?.properties).toHaveProperty('content_type');
  });

  it('stands in one document with the routes of the library', async () => {
    const { openapi, paths, components } = host.joined;
    expect(openapi).toMatch(/^3\.0\./);
    expect(await new Validator().validate({ ...host.joined })).toEqual({ valid: true });
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/own/whole', '/api/emails', '/api/contacts']));
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['SendEmailDto', 'JoinedDto']));
  });

  it('is known to another class-validator in the same tree', () => {
    expect(host.older.good).toEqual([]);
    expect(host.older.bad.sort()).toEqual(['colour', 'from', 'tags', 'to']);
  });
});
