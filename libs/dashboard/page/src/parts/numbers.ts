const count = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact' });
const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const smallPercent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** "1,204", in the reader's language. */
export function countOf(value: number): string {
  return count.format(value);
}

/** "1.2K", for places with little space. */
export function shortCountOf(value: number): string {
  return short.format(value);
}

/** "4.5 %" of a number of percent, "0.03 %" below 1: the limits of complaints are 0.1 % and 0.3 %. */
export function percentOf(value: number): string {
  return `${(Math.abs(value) < 1 ? smallPercent : percent).format(value)} %`;
}

/** "1 email", "1,204 emails". */
export function countedOf(value: number, one: string, many = `${one}s`): string {
  return `${countOf(value)} ${value === 1 ? one : many}`;
}
