/** What a server offers beyond RFC 5321, by its answer to EHLO. */
export interface SmtpExtensions {
  /** RFC 2920: commands need not wait for the replies to those before them. */
  pipelining: boolean;
  /** RFC 6531. */
  smtpUtf8: boolean;
  /** RFC 6152: a body may have bytes above 127. */
  eightBitMime: boolean;
  /** RFC 1870: it wants to be told how large a message is. */
  size: boolean;
  /** Bytes of the largest message that it takes. Undefined: it names none. */
  maxSize: number | undefined;
}

/** @param lines of the answer to EHLO, without codes and without the first. None where the server knows only HELO */
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
  };
}

/** Digits alone (RFC 1870 section 4): what else a server says there names no size. 0 stands for any size. */
function sizeOf(text = ''): number | undefined {
  return (/^\d{1,20}$/.test(text) && Number(text)) || undefined;
}
