import { signedFields } from './signed-fields.js';

const occurrences = (names: readonly string[], name: string) => names.filter((one) => one === name).length;

describe('signedFields', () => {
  it('names each usual field once more than it occurs', () => {
    const { names } = signedFields('From: a@x.test\r\nSubject: one\r\nSubject: two\r\nX-Other: 1\r\n');
    expect(['from', 'subject', 'to', 'list-unsubscribe-post'].map((name) => occurrences(names, name))).toEqual([
      2, 3, 1, 1,
    ]);
    expect(names).not.toContain('x-other');
  });

  it('has the fields from the last to the first of each name, in relaxed form', () => {
    const { data } = signedFields('SUBJECT \t:  one \t\r\n\t two  \r\nFrom:a@x.test\r\nsubject:three\r\n\r\n');
    expect(data).toBe('from:a@x.test\r\nsubject:three\r\nsubject:one two\r\n');
  });

  it('keeps the bytes of a field, and does not take other blanks for blanks', () => {
    const value = Buffer.from('Grüße\u00a0\u00a0你').toString('latin1');
    expect(signedFields(`Subject: ${value}\r\n`).data).toBe(`subject:${value}\r\n`);
    expect(signedFields('Subject\xa0: x\r\n').data).toBe('');
  });

  it('leaves out fields that the relay replaces', () => {
    const { names, data } = signedFields('From: a@x.test\r\nDate: now\r\n', ['date', 'message-id']);
    expect(data).toBe('from:a@x.test\r\n');
    expect(names).not.toContain('date');
  });

  it('signs a Feedback-ID that is there', () => {
    expect(occurrences(signedFields('From: a@x.test\r\n').names, 'feedback-id')).toBe(0);
    expect(signedFields('Feedback-ID: a:b:c:sender\r\n').data).toBe('feedback-id:a:b:c:sender\r\n');
  });

  it('has no fields for other lines', () => {
    expect(signedFields('\r\n').data).toBe('');
    expect(signedFields(': x\r\nfrom\r\n \r\n').data).toBe('');
  });
});
