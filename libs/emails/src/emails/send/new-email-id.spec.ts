import { setTimeout } from 'node:timers/promises';
import { newEmailId } from './new-email-id.js';

describe('newEmailId', () => {
  it('is a UUID of version 7 of this moment', () => {
    const before = Date.now();
    const id = newEmailId();
    const after = Date.now();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const moment = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect([before, moment, after]).toEqual([before, moment, after].sort((a, b) => a - b));
  });

  it('is never the same', () => {
    const ids = Array.from({ length: 10_000 }, newEmailId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is larger in a later millisecond', async () => {
    const before = newEmailId();
    await setTimeout(2);
    expect(newEmailId() > before).toBe(true);
  });
});
