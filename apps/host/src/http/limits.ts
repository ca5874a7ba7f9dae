import type { Limits } from 'nestjs-emails/facts';

/** Limits of a connection. */
export const HTTP_LIMITS = {
  /** Node's default. */
  head: { of: 'the head of a request', max: 16_384, unit: 'bytes', beyond: '431' },
  headTime: { of: 'the arrival of a head', max: 15_000, unit: 'milliseconds', beyond: '408' },
  /** 58 MB at 0.5 MB a second, 126 MB at 1 MB. */
  requestTime: { of: 'the arrival of a whole request', max: 120_000, unit: 'milliseconds', beyond: '408' },
  /** Longer than the minute after which common load balancers close an idle connection. */
  keepAlive: { of: 'a connection between requests', max: 65_000, unit: 'milliseconds', beyond: 'closed' },
  /** Also applies to a client that does not read. */
  idle: { of: 'a connection on which nothing moves', max: 120_000, unit: 'milliseconds', beyond: 'closed' },
  /** Memory must suffice for all of these. */
  connections: { of: 'connections of a process', max: 10_000, unit: 'at once', beyond: 'closed as they come' },
} satisfies Limits;
