import { readFileSync } from 'node:fs';
import { BOUNCE_REASONS } from '../../shared/replies/bounce-reasons.js';
import { isReasonCode, REASON_CODES, reasonText } from './reason-codes.js';

describe('reasonText', () => {
  it.each([
    ['what a server said, without a code', null, '451 4.7.1 later', '451 4.7.1 later'],
    ['what a server said, whatever the code', 'no_reply', 'connect ECONNREFUSED', 'connect ECONNREFUSED'],
    ['the last reply of what was given up', 'expired', '451 later', 'Gave up. Last reply: 451 later'],
    ['a sentence where nothing was said', 'expired', null, 'Gave up.'],
    [
      'a sentence where no text was recorded',
      'manual',
      undefined,
      'The address was put on the suppression list by hand.',
    ],
    ['the code of a policy', 'not_on_the_list', 'not_on_the_list', 'not_on_the_list'],
    ['the code of a policy that equals a code of the library', 'expired', 'expired', 'expired'],
    ['the code of a policy whose words were erased', 'not_on_the_list', null, 'not_on_the_list'],
    ['the code of the topic rule', 'topic_opted_out', null, 'topic_opted_out'],
    ['the words of a suppression list', 'complaint', 'Complained once.', 'Complained once.'],
    ['nothing', null, null, null],
  ])('is %s', (_, code, words, text) => {
    expect(reasonText(code, words)).toBe(text);
  });

  it('has no sentence for a code that was reported', () => {
    expect(reasonText('expired', '550 no', 'relay')).toBe('550 no');
    expect(reasonText('expired', null, 'relay')).toBe('expired');
  });
});

describe('REASON_CODES', () => {
  it('include every reason of a bounce', () => {
    expect(Object.keys(BOUNCE_REASONS).filter((code) => !isReasonCode(code))).toEqual([]);
  });

  it('are all in the contract, with their meaning', () => {
    const contract = readFileSync(new URL('../../../../../docs/contract.md', import.meta.url), 'utf8');
    for (const [code, { meaning }] of Object.entries(REASON_CODES)) {
      expect(contract).toContain(`| \`${code}\` | ${meaning} |`);
    }
  });

  it('consist of a to z and _, and are recognised by exact name only', () => {
    expect(Object.keys(REASON_CODES).every((code) => /^[a-z0-9_]{1,50}$/.test(code))).toBe(true);
    expect(['expired', 'constructor', undefined].map(isReasonCode)).toEqual([true, false, false]);
  });
});
