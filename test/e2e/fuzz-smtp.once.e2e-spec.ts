import { jest } from '@jest/globals';
import { fuzzSmtp } from '../fuzz/smtp/fuzz-smtp.js';

it('loses nothing to a server that says anything, and sends again only what was not answered', async () => {
  const seed = jest.getSeed();
  process.stderr.write(`  seed ${seed}: random SMTP server\n`);
  const found = await fuzzSmtp({ seed, seconds: 20, say: (text) => process.stderr.write(`  ${text}\n`) });
  expect(found).toEqual([]);
});
