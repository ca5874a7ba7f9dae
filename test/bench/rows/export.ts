import { fill } from '../support/fill.js';
import { residentMemory, type Side, TOKEN } from '../support/stage.js';
import { pageTime } from './listing.js';
import { withSide } from './post.js';
import { figure, quotient, type Row } from './row.js';

const EMAILS = 100_000;
/** Exports before the measured one. */
const WARM_UP = 2;
const MB = 1_000_000;
const LINE_BREAK = 10;
/** Emails of one page of the list. */
const PAGE = 100;

/** Emails a second, and the most memory that the host had meanwhile. */
async function exported({ port, pid }: Side, emails: number): Promise<{ rate: number; memory: number }> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`http://127.0.0.1:${port}/emails/export`, { headers });
  let [lines, memory] = [0, 0];
  for await (const chunk of answer.body ?? []) {
    for (const byte of chunk) if (byte === LINE_BREAK) lines += 1;
    memory = Math.max(memory, residentMemory(pid));
  }
  if (lines !== emails + 1) throw new Error(`${answer.status}, ${lines} lines of ${emails} emails.`);
  return { rate: emails / ((performance.now() - began) / 1_000), memory: memory / MB };
}

async function warmExport(side: Side, emails: number) {
  for (let before = 0; before < WARM_UP; before++) await exported(side, emails);
  return exported(side, emails);
}

export const exporting: Row = {
  name: 'export',
  title: 'GET /emails/export of 100,000 emails, and of a tenth of them',
  once: true,
  ratios: [
    { what: 'emails a second / those of pages without contents', of: quotient('exported/s', 'listed/s'), atLeast: 1 },
    {
      what: 'more memory than for a tenth, MB',
      of: (figures) => figure('MB')(figures) - figure('MB of a tenth')(figures),
      atMost: 20,
    },
  ],
  async round(stage, { rows }) {
    const emails = Math.min(rows, EMAILS);
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      await fill(place, emails / 10);
      const few = await warmExport(side, emails / 10);
      await fill(place, emails);
      const many = await warmExport(side, emails);
      await pageTime(stage, side, '&fields=summary');
      const listed = (PAGE / (await pageTime(stage, side, '&fields=summary'))) * 1_000;
      return { 'exported/s': many.rate, 'listed/s': listed, 'MB of a tenth': few.memory, MB: many.memory };
    });
    await place.drop();
    return figures;
  },
};
