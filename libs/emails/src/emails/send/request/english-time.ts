import type { ParsedComponents } from 'chrono-node';

const MAX_LENGTH = 60;
const DAY = 86_400_000;
/** Words with single blanks between them: the parser takes minutes over many blanks in a row. */
const WORDS = /^[!-~]+(?: [!-~]+)*$/;
/** Numeric dates, whose order is ambiguous, ranges, and other ambiguous texts. */
const OPEN =
  /\/|\d\.\d+\.|:\d\d[.,]\d|(?<!GMT|UTC)-|\b(?:last|past|previous|few|several|(?:mid|to)?night|morning|afternoon|evening|(?:this|next) (?:week|month|year))\b/i;
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|' +
  'nov(?:ember)?|dec(?:ember)?)';
const NUMBER = '\\d{1,2}(?:st|nd|rd|th)?';
const DATE = `(?:${MONTH} ${NUMBER}|${NUMBER} ${MONTH})(?:,? \\d{4})?`;
/** Days that need no time: they mean 9:00, and `tonight` 20:00. */
const DAY_ALONE = new RegExp(
  `^(?:tomorrow(?: morning)?|tonight|next week|(?:this |next )?${WEEKDAY}|(?:${WEEKDAY},? )?${DATE})$`,
  'i',
);
/** A day and a zone in the parser's form. */
const DAY_IN_ZONE = /^(.+) ([A-Z]{2,5}|(?:GMT|UTC)[+-]\d{1,2}(?::?\d{2})?)$/;
/** An unambiguous time of day: `9am`, `15:00`, `noon`. */
const TIME_OF_DAY = /\d *[ap]\.?m|\d:\d\d|\bnoon\b/i;
/** Weeks and months without a defined beginning. */
const WHOLE_PERIOD = /\b(?:this|next)\b/i;
/** A day that most years lack, without its year. */
const LEAP_DAY = /\b(?:feb(?:ruary)? 29(?:th)?|29(?:th)? feb(?:ruary)?)\b(?!,? \d{4})/i;
/** Local hours of the reference times. No clock changes around them. */
const HOURS = [12, 18] as const;
/**
 * Difference allowed between two readings of a length of time, of which one ends in an hour that a clock skips.
 * Milliseconds.
 */
const LEFT_OUT = 3 * 3_600_000;

/** True for a possible text before it is parsed: up to 60 printable characters, not a numeric date. */
export function maybeEnglishTime(text: string): boolean {
  if (text.length > MAX_LENGTH || !WORDS.test(text)) return false;
  return dayIn(text) !== undefined || (/[a-z]/i.test(text) && !OPEN.test(text));
}

/**
 * Reads English such as `in 10 minutes`, `tomorrow`, `tomorrow at 9am`, `Friday at 3pm EST`: a length of time from now,
 * or a day with or without a time of day, in UTC unless a zone is named. Recurring days and times mean the next one. A
 * day without a time means its 9:00, `next week` its Monday, and `tonight` 20:00, unless that has passed.
 *
 * @returns milliseconds since 1970; undefined for a text that is not fully understood, or ambiguous
 */
export async function readEnglishTime(text: string, now: Date): Promise<number | undefined> {
  if (!maybeEnglishTime(text)) return undefined;
  const found = dayIn(text);
  const from = LEAP_DAY.test(text) ? leapYear(now) : now;
  if (!found) return readWhole(text, from);
  const { day, zone } = found;
  const at = (words: string, when = from) => readWhole(`${words}${zone}`, when);
  switch (day.toLowerCase()) {
    case 'tomorrow morning':
      return at('tomorrow at 9am');
    case 'tonight': {
      const time = await at('today at 8pm');
      return time !== undefined && time >= now.getTime() ? time : undefined;
    }
    case 'next week': {
      const [monday, tomorrow] = [await at('Monday at 9am'), await at('tomorrow at 9am')];
      if (monday === undefined || tomorrow === undefined) return undefined;
      // Today is a Monday, before 9:00.
      return monday < tomorrow ? at('Monday at 9am', new Date(monday + 1)) : monday;
    }
    default:
      return at(`${day} at 9am`);
  }
}

/** A moment in the year of the next February 29. */
function leapYear(now: Date): Date {
  const hasLeapDay = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  let year = now.getUTCFullYear();
  while (!hasLeapDay(year) || Date.UTC(year, 2) <= now.getTime()) year++;
  return new Date(Math.max(now.getTime(), Date.UTC(year, 0)));
}

/** The day of a text without a time, and its zone with a blank in front; undefined for another text. */
function dayIn(text: string): { day: string; zone: string } | undefined {
  if (DAY_ALONE.test(text)) return { day: text, zone: '' };
  const [, day = '', zone] = DAY_IN_ZONE.exec(text) ?? [];
  return DAY_ALONE.test(day) ? { day, zone: ` ${zone}` } : undefined;
}

/**
 * Reads a length of time from now, or a day with a time. The parser computes in the process's time zone. It gets a
 * local noon and evening of today as reference times, and its result is read as plain figures.
 */
async function readWhole(text: string, now: Date): Promise<number | undefined> {
  // Loaded at the first use, so that other callers do not pay for it.
  const { casual } = await import('chrono-node/en');

  /** Time that the text names when it is read on that day, at an offset from UTC in minutes. */
  const readings = (offset: number, then = now): Reading[] => {
    const today = new Date(then.getTime() + offset * 60_000);
    return HOURS.flatMap((hour) => {
      const local = new Date(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), hour);
      const [found, ...others] = casual.parse(text, local);
      if (!found || others.length > 0 || found.end || found.text !== text) return [];
      return { parsed: found.start, time: figures(found.start), from: startOfDay(today) + hour * 3_600_000 };
    });
  };

  const inUtc = readings(0);
  const [first] = inUtc;
  if (!first) return undefined;
  if (first.parsed.isCertain('hour') && !isLength(first.parsed)) {
    const zone = zoneOf(first.parsed);
    const inZone = readings(zone);
    // Around a clock change, the offset of the target day may differ from today's.
    if (inZone.some(({ parsed }) => zoneOf(parsed) !== zone)) return undefined;
    const time = timeOfDay(text, inZone);
    const later = time === undefined || time >= now.getTime() ? undefined : nextPeriod(first.parsed, now);
    return later ? timeOfDay(text, readings(zone, later)) : time;
  }
  return first.parsed.tags().has('result/relativeDate') ? lengthFromNow(text, inUtc, now) : undefined;
}

interface Reading {
  parsed: ParsedComponents;
  /** The parsed time, its figures read as UTC. */
  time: number;
  /** The reference time, in the same form. */
  from: number;
}

function lengthFromNow(text: string, [noon, evening]: Reading[], now: Date): number | undefined {
  if (!noon || !evening || WHOLE_PERIOD.test(text)) return undefined;
  const lengths = [noon.time - noon.from, evening.time - evening.from];
  const shortest = Math.min(...lengths);
  return Math.max(...lengths) - shortest < LEFT_OUT ? now.getTime() + shortest : undefined;
}

function timeOfDay(text: string, [noon, evening]: Reading[]): number | undefined {
  if (!noon || noon.time !== evening?.time || !TIME_OF_DAY.test(text)) return undefined;
  const { parsed, time } = noon;
  if (parsed.isCertain('month') && !parsed.isCertain('day')) return undefined;
  if (parsed.isCertain('weekday') && parsed.get('weekday') !== new Date(time).getUTCDay()) return undefined;
  return time - zoneOf(parsed) * 60_000;
}

/**
 * Reference from which a past time of a recurring day is read again. It is parsed again, because clocks may have
 * changed by then.
 */
function nextPeriod(parsed: ParsedComponents, now: Date): Date | undefined {
  if (parsed.isCertain('year')) return undefined;
  if (parsed.isCertain('month')) return new Date(new Date(now).setUTCFullYear(now.getUTCFullYear() + 1));
  if (parsed.isCertain('day')) return undefined;
  return new Date(now.getTime() + (parsed.isCertain('weekday') ? 7 : 1) * DAY);
}

/** True for hours, minutes and seconds from a moment. */
function isLength(parsed: ParsedComponents): boolean {
  return parsed.tags().has('result/relativeDateAndTime');
}

/** Minutes east of UTC. */
function zoneOf(parsed: ParsedComponents): number {
  return parsed.isCertain('timezoneOffset') && !isLength(parsed) ? (parsed.get('timezoneOffset') ?? 0) : 0;
}

function figures(parsed: ParsedComponents): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const
  ).map((name) => parsed.get(name) ?? 0);
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / DAY) * DAY;
}
