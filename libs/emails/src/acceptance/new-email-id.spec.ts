import { setTimeout } from 'node:timers/promises';
import { newEmailId } from './new-email-id.js';

describe('newEmailId', () => {
  it('is a UUID of version 7 of this moment', () => {
    const id = newEmailId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Number.parseInt(id.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(5_000);
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
