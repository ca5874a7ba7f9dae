import { v7, validate } from 'uuid';
import { attachmentId, positionOf } from './attachment-id.js';

describe('attachmentId', () => {
  it('is a distinct UUID for each position, and reveals the position', () => {
    const emailId = v7();
    const ids = [0, 1, 2, 255, 65_535].map((position) => [position, attachmentId(emailId, position)] as const);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
    for (const [position, id] of ids) {
      expect([validate(id), id[14], positionOf(emailId, id)]).toEqual([true, '8', position]);
    }
  });

  it('belongs to no other email', () => {
    const [one, other] = [v7(), v7()];
    expect(positionOf(other, attachmentId(one, 1))).toBeUndefined();
    expect(positionOf(one, one)).toBeUndefined();
  });
});
