import { emlName } from './eml-name';

const ID = '0198f0c4-1111-7000-8000-000000000000';

describe('emlName', () => {
  it.each([
    ['Your order 1182', 'Your-order-1182-0198f0c4.eml'],
    ['', 'email-0198f0c4.eml'],
    ['../../etc/passwd', 'etc-passwd-0198f0c4.eml'],
    ['CON', 'CON-0198f0c4.eml'],
    ['-rf *; $(x) `y`', 'rf-x-y-0198f0c4.eml'],
    ['exe.\u202eslx', 'exe-slx-0198f0c4.eml'],
    ['Größe Ж 一', 'Größe-Ж-一-0198f0c4.eml'],
    ['\ud800', 'email-0198f0c4.eml'],
  ])('for the subject %j is %j', (subject, name) => {
    expect(emlName(subject, ID)).toBe(name);
  });

  it('stays short, and splits no character', () => {
    expect(emlName('𝒳'.repeat(998), ID)).toBe(`${'𝒳'.repeat(60)}-0198f0c4.eml`);
  });
});
