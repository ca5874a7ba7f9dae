import { FIRST_PLACE, type Stretch } from '../storage/keep/housekeeping.repository.js';
import { OldEmailsWalk } from './old-emails-walk.js';

/** Old emails `e00`, `e01`, …, some of them unfinished, walked through two at a time. `asked` counts the reads. */
function setUp(count: number, maxLeft?: number) {
  const emails = Array.from({ length: count }, (_, n) => `e${String(n).padStart(2, '0')}`);
  const unfinished = new Set<string>();
  const cleared = new Set<string>();
  const asked: string[] = [];
  let failing = false;
  const cleanUp = async (stretch: Stretch) => {
    if (failing) throw new Error('no database');
    const ids = 'ids' in stretch ? [...stretch.ids] : emails.filter((id) => id > stretch.after).slice(0, 2);
    asked.push(...ids);
    for (const id of ids) if (!unfinished.has(id)) cleared.add(id);
    return ids.length === 0
      ? undefined
      : { last: ids.at(-1) ?? '', unfinished: ids.filter((id) => unfinished.has(id)) };
  };
  const walk = new OldEmailsWalk('past', cleanUp, maxLeft);
  const round = async () => {
    while (await walk.step());
    return asked.splice(0);
  };
  return { emails, unfinished, cleared, walk, round, asked, fail: (on: boolean) => (failing = on) };
}

describe('OldEmailsWalk', () => {
  it('begins with the first email, and continues where it stopped', async () => {
    const { emails, round } = setUp(5);
    expect(emails.every((id) => id > FIRST_PLACE)).toBe(true);
    expect(await round()).toEqual(emails);
    emails.push('e05', 'e06', 'e07');
    expect(await round()).toEqual(['e05', 'e06', 'e07']);
    expect(await round()).toEqual([]);
  });

  it('asks again for emails that it had to leave, and for no others', async () => {
    const { emails, unfinished, cleared, round } = setUp(50);
    unfinished.add('e00').add('e31');
    expect(await round()).toEqual(emails);
    for (let hour = 0; hour < 3; hour += 1) expect((await round()).sort()).toEqual(['e00', 'e31']);
    unfinished.delete('e31');
    expect((await round()).sort()).toEqual(['e00', 'e31']);
    expect(await round()).toEqual(['e00']);
    unfinished.clear();
    expect(await round()).toEqual(['e00']);
    expect(await round()).toEqual([]);
    expect(cleared.size).toBe(50);
  });

  it('walks again over emails beyond its memory, and misses none', async () => {
    const { emails, unfinished, cleared, round } = setUp(20, 3);
    for (const id of emails.slice(4, 12)) unfinished.add(id);
    expect(await round()).toEqual(emails);
    const second = await round();
    expect(second).toEqual(expect.arrayContaining(emails.slice(4)));
    expect(second).not.toContain('e00');
    expect(new Set(second).size).toBe(second.length);
    unfinished.clear();
    await round();
    expect(cleared.size).toBe(20);
    expect(await round()).toEqual([]);
  });

  it('repeats a failed step', async () => {
    const { unfinished, walk, round, fail } = setUp(4);
    unfinished.add('e01');
    fail(true);
    await expect(walk.step()).rejects.toThrow('no database');
    fail(false);
    expect(await round()).toEqual(['e00', 'e01', 'e02', 'e03']);
    fail(true);
    await expect(walk.step()).rejects.toThrow('no database');
    fail(false);
    expect(await round()).toEqual(['e01']);
  });
});
