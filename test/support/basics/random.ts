/** A repeatable random source. Its values depend only on the seed and on the order of the calls. */
export class Random {
  private state: number;

  constructor(seed: number | string) {
    this.state = typeof seed === 'number' ? seed >>> 0 : hash(seed);
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)];
    if (choice === undefined) throw new Error('There is nothing to pick from.');
    return choice;
  }

  /** This share of the items, but at least one, in order. */
  some<T>(items: readonly T[], share: number): T[] {
    return this.choose(items, Math.max(1, Math.ceil(items.length * share)));
  }

  /** This many of the items, in order. */
  choose<T>(items: readonly T[], count: number): T[] {
    const left = items.map((_, index) => index);
    while (left.length > count) left.splice(this.int(0, left.length - 1), 1);
    return items.filter((_, index) => left.includes(index));
  }

  /** A separate source for a part of the work, independent of other parts. */
  branch(name: string): Random {
    return new Random(`${this.state}:${name}`);
  }
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  }
  return value >>> 0;
}
