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
  it('shows what would be sent, with its fallbacks when nothing is given', () => {
    expect(previewTemplate(template, { NAME: '<Jane>' })).toEqual({
      subject: 'Hi <Jane>',
      html: '<p>&lt;Jane&gt;</p>',
      text: null,
    });
    expect(previewTemplate(template)).toEqual({ subject: 'Hi you', html: '<p>you</p>', text: null });
  });

  it.each([
    [['NAME'], '`variables` must be an object'],
    [{ 'a-b': 'c' }, '`variables` must have keys'],
    [{ NAME: null }, '`variables.NAME` must be a string or a finite number'],
    [{ NAME: 'x'.repeat(2_001) }, '`variables.NAME` takes up to 2000 characters'],
  ])('refuses %j as the route does', (variables, message) => {
    expect(() => previewTemplate(template, variables as never)).toThrow(message);
  });
});
