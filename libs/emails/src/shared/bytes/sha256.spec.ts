import { createHash } from 'node:crypto';
import { inTurns, NATIVE_SLICE } from '../work/slices.js';
import { sha256 } from './sha256.js';

describe('sha256', () => {
  it.each([0, 1, NATIVE_SLICE - 1, NATIVE_SLICE, NATIVE_SLICE + 1, 3 * NATIVE_SLICE + 7])(
    'of %i bytes is theirs',
    async (length) => {
      const bytes = Buffer.alloc(length, 'abcdefg');
      expect(await inTurns(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    },
  );
});
