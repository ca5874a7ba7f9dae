import { TurnLine } from './turn-line.js';

function lineOf(...entries: [string, number][]): TurnLine<string> {
  const line = new TurnLine<string>();
  for (const [item, turn] of entries) line.add(item, turn);
  return line;
}

describe('TurnLine', () => {
  it('has the lowest turn first, and equal turns in order of arrival', () => {
    const line = lineOf(['c', 7], ['a', 2], ['d', 7], ['b', 2.5], ['e', 7]);
    expect([...line]).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(line.first).toBe('a');
    expect(line.size).toBe(5);
  });

  it('forgets deleted items, each once', () => {
    const line = lineOf(['a', 1], ['b', 1], ['c', 2]);
    expect(line.delete('a', 1)).toBe(true);
    expect(line.delete('a', 1)).toBe(false);
    expect(line.delete('c', 1)).toBe(false);
    expect(line.delete('c', 2)).toBe(true);
    expect([...line]).toEqual(['b']);
    expect(line.size).toBe(1);
    line.delete('b', 1);
    expect(line.first).toBeUndefined();
    expect(line.size).toBe(0);
  });

  it('visits each item once while the visited ones are deleted', () => {
    const entries = Array.from({ length: 100 }, (_, at): [string, number] => [
      `${at}`,
      Math.floor((at * 37) % 100) >> 2,
    ]);
    const line = lineOf(...entries);
    const turns = new Map(entries);
    const visited: string[] = [];
    for (const item of line) {
      visited.push(item);
      line.delete(item, turns.get(item) ?? Number.NaN);
    }
    expect(visited).toHaveLength(100);
    expect(visited.map((item) => turns.get(item))).toEqual([...turns.values()].sort((a, b) => a - b));
    expect(line.size).toBe(0);
  });
});
