import { jest } from '@jest/globals';
import { fuzzSmtp } from '../fuzz/smtp/fuzz-smtp.js';

it('loses no email to a random server, and resends only unanswered ones', async () => {
  const seed = jest.getSeed();
  process.stderr.write(`  seed ${seed}: random SMTP server\n`);
  const found = await fuzzSmtp({ seed, seconds: 20, say: (text) => process.stderr.write(`  ${text}\n`) });
  expect(found).toEqual([]);
});
