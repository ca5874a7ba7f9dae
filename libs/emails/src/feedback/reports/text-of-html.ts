const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/**
 * The text of a notice that is written in HTML alone, in lines. Only for judging: nothing of it is shown. Each step is
 * linear, which `html-to-text` is not for unmatched tags: anybody may write a report.
 */
export function textOfHtml(html: string): string {
  return html
    .replace(/<(?:style|script|title)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/[\r\n]+/g, ' ')
    .replace(/<(?:br|\/?p|\/?div|\/?tr|\/?li|\/?h\d|\/?table|\/?pre|hr)\b[^<>]*>/gi, '\n')
    .replace(/<[a-z/!][^<>]*>/gi, ' ')
    .replace(/&(nbsp|lt|gt|quot|apos|amp);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] as string)
    .replace(/&#(\d{1,7});/g, (whole, digits: string) =>
      Number(digits) > 0x10ffff ? whole : String.fromCodePoint(Number(digits)).toWellFormed(),
    )
    .replace(/[ \t]{2,}/g, ' ');
}
