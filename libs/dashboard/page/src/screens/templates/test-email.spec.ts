import { testEmail } from './test-email';

const fields = {
  name: 'Welcome',
  alias: '',
  from: '',
  replyTo: 'r@a.test\n',
  subject: 'Hi {{NAME}}',
  html: '<p>{{NAME}}</p>',
  text: '',
  variables: [],
  sensitive: false,
};
const samples = { shown: { NAME: '<Jane>', COUNT: 3 }, given: { NAME: '<Jane>' }, missing: [] };
const addresses = { from: ' a@a.test', to: 'b@a.test ' };

describe('testEmail', () => {
  it('renders a draft, which an email cannot refer to', () => {
    expect(testEmail({ templateId: 't', fields, samples, isPublished: false, addresses })).toEqual({
      from: 'a@a.test',
      to: 'b@a.test',
      reply_to: ['r@a.test'],
      subject: 'Hi <Jane>',
      html: '<p>&lt;Jane&gt;</p>',
    });
  });

  it('refers to a published template with the given values', () => {
    const published = { ...fields, from: 'c@a.test' };
    expect(testEmail({ templateId: 't', fields: published, samples, isPublished: true, addresses })).toEqual({
      to: 'b@a.test',
      template: { id: 't', variables: { NAME: '<Jane>' } },
    });
  });
});
