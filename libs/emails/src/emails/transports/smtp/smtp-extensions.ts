/** Extensions that a server offers in its answer to EHLO. */
export interface SmtpExtensions {
  /** RFC 2920: commands need not wait for the replies to those before them. */
  pipelining: boolean;
  /** RFC 6531. */
  smtpUtf8: boolean;
  /** RFC 6152: a body may contain bytes above 127. */
  eightBitMime: boolean;
  /** RFC 1870: MAIL may declare the size of the message. */
  size: boolean;
  /** Size limit of messages, in bytes. Undefined: not declared. */
  maxSize: number | undefined;
  /** RFC 3207. */
  startTls: boolean;
  /** RFC 3461: it sends delivery reports on request. */
  dsn: boolean;
  /** RFC 4954: login mechanisms, in the server's order. */
  auth: readonly string[];
}

/** @param lines of the answer to EHLO, without codes and without the first. None if the server knows only HELO */
export function extensionsOf(lines: readonly string[]): SmtpExtensions {
  const offered = new Map(
    lines.map((line) => line.trim().toUpperCase().split(/\s+/)).map(([word, ...more]) => [word, more]),
  );
  return {
    pipelining: offered.has('PIPELINING'),
    smtpUtf8: offered.has('SMTPUTF8'),
    eightBitMime: offered.has('8BITMIME'),
    size: offered.has('SIZE'),
    maxSize: sizeOf(offered.get('SIZE')?.[0]),
    startTls: offered.has('STARTTLS'),
    dsn: offered.has('DSN'),
    auth: [...new Set(lines.flatMap(mechanismsOf))],
  };
}

/** Also reads `AUTH=…`, the syntax before RFC 2554. */
function mechanismsOf(line: string): string[] {
  const [word, ...names] = line
    .trim()
    .toUpperCase()
    .split(/[\s=]+/);
  return word === 'AUTH' ? names.filter((name) => /^[\w-]{1,20}$/.test(name)) : [];
}

/** Only digits are a size (RFC 1870 section 4). 0 means any size. */
function sizeOf(text = ''): number | undefined {
  return (/^\d{1,20}$/.test(text) && Number(text)) || undefined;
}
