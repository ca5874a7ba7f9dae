import type { PublishedTemplate } from '../../ports/template-source.js';
import { previewTemplate } from './preview-template.js';

const template: PublishedTemplate = {
  from: null,
  subject: 'Hi {{NAME}}',
  replyTo: [],
  html: '<p>{{NAME}}</p>',
  text: null,
  variables: [{ key: 'NAME', type: 'string', fallback: 'you' }],
};

describe('previewTemplate', () => {
  it('renders the email, with fallbacks for missing variables', async () => {
    expect(await previewTemplate(template, { NAME: '<Jane>' })).toEqual({
      subject: 'Hi <Jane>',
      html: '<p>&lt;Jane&gt;</p>',
      text: null,
    });
    expect(await previewTemplate(template)).toEqual({ subject: 'Hi you', html: '<p>you</p>', text: null });
  });

  it('reserves memory before it renders', async () => {
    const asked: number[] = [];
    const makeRoom = async (bytes: number) => {
      asked.push(bytes);
      throw new Error('no room');
    };
    await expect(previewTemplate(template, { NAME: 'Zoë' }, { makeRoom })).rejects.toThrow('no room');
    expect(asked).toEqual([Buffer.byteLength('Hi Zoë<p>Zoë</p>')]);
  });

  it.each([
    [['NAME'], '`variables` must be an object'],
    [{ 'a-b': 'c' }, '`variables` must have keys'],
    [{ NAME: null }, '`variables.NAME` must be a string or a finite number'],
    [{ NAME: 'x'.repeat(2_001) }, '`variables.NAME` takes up to 2000 characters'],
  ])('refuses %j as the route does', async (variables, message) => {
    await expect(previewTemplate(template, variables as never)).rejects.toThrow(message);
  });
});
