import type { Email, EmailAttachment } from '../../../../api/types';
import { isKept, standingOf } from './standing';

const email = (fields: Partial<Email>) => ({ html: null, text: null, ...fields }) as Email;
const file = {} as EmailAttachment;

describe('the standing of contents', () => {
  it.each([
    ['role', email({}), [], false],
    ['role', email({ sensitive: true }), undefined, false],
    ['sensitive', email({ sensitive: true }), undefined, true],
    ['empty', email({ no_content: true }), [], true],
    ['empty', email({ text: '' }), [], true],
    ['shown', email({ html: '<p>' }), [], true],
    ['shown', email({ text: 'a' }), undefined, true],
    ['attachments', email({}), [file], true],
    ['cleared', email({}), [], true],
  ] as const)('is %s', (standing, one, attachments, mayRead) => {
    expect(standingOf(one, attachments, mayRead)).toBe(standing);
  });

  it('decides whether the message can be made again', () => {
    expect(isKept('cleared')).toBe(false);
    expect(isKept('sensitive')).toBe(false);
    expect(isKept('attachments')).toBe(true);
  });
});
