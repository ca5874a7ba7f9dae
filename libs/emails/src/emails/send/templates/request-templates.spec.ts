import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublishedTemplate } from '../../ports/template-source.js';
import type { SendEmailDto } from '../request/send-email.dto.js';
import { TemplateRendering } from './request-templates.js';

const VALUE = 'x'.repeat(2_000);
/** Number of placeholders with which a template reaches a size in bytes. */
const times = (bytes: number) => bytes / VALUE.length;

function templateOf(texts: Partial<PublishedTemplate>): PublishedTemplate {
  return { from: null, subject: null, replyTo: [], html: null, text: null, variables: [], ...texts };
}

const TEMPLATES: Record<string, PublishedTemplate> = {
  large: templateOf({ html: '{{{A}}}'.repeat(times(9_800_000)) }),
  medium: templateOf({ html: '{{{A}}}'.repeat(times(800_000)) }),
  wide: templateOf({ html: '{{A}} '.repeat(45_000) }),
  small: templateOf({ html: '<p>{{A}}</p>', subject: 'Hi' }),
  tooLarge: templateOf({ html: '{{{A}}}'.repeat(times(10_002_000)) }),
};

const email = (id: string, value = VALUE) => ({ template: { id, variables: { A: value } } }) as unknown as SendEmailDto;
const many = (count: number, id: string) => Array.from({ length: count }, () => email(id));

function rendering(messageLimit = 40_000_000) {
  const asked: string[] = [];
  const source = {
    find: async (_account: string, id: string) => {
      asked.push(id);
      return TEMPLATES[id];
    },
  };
  return { asked, templates: new TemplateRendering(source, messageLimit) };
}

const busy = expect.objectContaining({ statusCode: 503, headers: { 'retry-after': '5' } });
const rethrow = (_: SendEmailDto, error: unknown) => {
  throw error;
};

describe('RequestTemplates', () => {
  it('asks for each template of a request once', async () => {
    const { asked, templates } = rendering();
    const request = templates.open('a');
    const emails = many(3, 'small');
    await request.prepare(emails, rethrow);
    for (const one of emails)
      expect(await request.render(one)).toMatchObject({ subject: 'Hi', html: `<p>${VALUE}</p>` });
    expect(asked).toEqual(['small']);
  });

  it('refuses the emails with which a request exceeds its limit', async () => {
    const { templates } = rendering();
    const request = templates.open('a');
    const refusals: unknown[] = [];
    await request.prepare([...many(8, 'large'), email('small')], (_, error) => refusals.push(error));
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ statusCode: 422, message: expect.stringContaining('50000000 bytes') });
    }
  });

  it('refuses an email above the message limit', async () => {
    const { templates } = rendering(1_000_000);
    await expect(templates.open('a').prepare([email('large')], rethrow)).rejects.toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('1000000 bytes'),
    });
  });

  it('reserves no memory for refused emails', async () => {
    const { templates } = rendering();
    const refused: unknown[] = [];
    const requests = Array.from({ length: 100 }, () => templates.open('a'));
    for (const request of requests) await request.prepare(many(100, 'tooLarge'), (_, error) => refused.push(error));
    expect(refused).toHaveLength(10_000);
    await templates.open('a').prepare(many(5, 'large'), rethrow);
  });

  it('bounds the memory in use, and lets the others wait', async () => {
    const { templates } = rendering();
    const first = templates.open('a');
    await first.prepare(many(5, 'large'), rethrow);
    let isReady = false;
    const second = templates.open('b');
    const waits = second.prepare(many(5, 'large'), rethrow).then(() => {
      isReady = true;
    });
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(isReady).toBe(false);
    first.close();
    await waits;
    second.close();
  });

  it('refuses at once when too many wait, and says so', async () => {
    const { templates } = rendering();
    const first = templates.open('a');
    await first.prepare(many(5, 'large'), rethrow);
    const waiting = Array.from({ length: 30 }, () => templates.open('a'));
    const outcomes = waiting.map((request) => request.prepare([email('large')], rethrow));
    const refusals = outcomes.map((outcome) =>
      outcome.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    first.close();
    for (const request of waiting) request.close();
    expect((await Promise.all(refusals)).filter((refusal) => refusal !== undefined)).toContainEqual(busy);
  });

  it('lets small and medium ones pass while large ones wait', async () => {
    const { templates } = rendering();
    await templates.open('a').prepare(many(5, 'large'), rethrow);
    const second = templates.open('a');
    const waits = second.prepare(many(5, 'large'), rethrow);
    for (const id of ['small', 'medium']) await templates.open('b').prepare([email(id)], rethrow);
    second.close();
    await expect(waits).rejects.toEqual(busy);
  });

  it('drops a template while it waits for memory, and reads it again', async () => {
    const { asked, templates } = rendering();
    const opened = [];
    for (const [owner, count] of [
      ['a', 24],
      ['b', 24],
      ['c', 1],
    ] as const) {
      for (let at = 0; at < count; at++) {
        const request = templates.open(owner);
        await request.prepare([email('medium')], rethrow);
        opened.push(request);
      }
    }
    const second = templates.open('d');
    const waiting = email('wide', '');
    const waits = second.prepare([waiting], rethrow);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(asked.filter((id) => id === 'wide')).toHaveLength(1);
    for (const request of opened) request.close();
    await waits;
    expect(asked.filter((id) => id === 'wide')).toHaveLength(2);
    expect((await second.render(waiting)).html).toBe(' '.repeat(45_000));
  });

  it('counts templates without rendered emails', async () => {
    const source = { find: async (_: string, id: string) => templateOf({ html: `{{A}}${id}`.repeat(30_000) }) };
    const request = new TemplateRendering(source, 40_000_000).open('a');
    const refused: unknown[] = [];
    const emails = Array.from({ length: 100 }, (_, at) => email(`${at}`, ''));
    await request.prepare(emails, (_, error) => refused.push(error));
    expect(refused.length).toBeGreaterThan(0);
  });
});
