/** Filters `name:text`. */
const FILTERS = ['from', 'to', 'subject'] as const;

/** Texts to be found in all matches. */
export interface InboxSearch extends Record<(typeof FILTERS)[number], string[]> {
  /** In senders, recipients or subjects. */
  words: string[];
  hasAttachment: boolean;
}

/** `name:"two words"`, `name:word`, `"two words"`, `word`. */
const TERM = /(?:([a-z]+):)?(?:"([^"]*)"?|(\S*))/giu;

/** Reads the text of a search. For an unknown filter it returns a sentence that names it. */
export function readInboxSearch(text: string): InboxSearch | string {
  const search: InboxSearch = { words: [], from: [], to: [], subject: [], hasAttachment: false };
  for (const [term, name, quoted, word] of text.trim().toLowerCase().matchAll(TERM)) {
    if (term === '') continue;
    const value = quoted ?? word ?? '';
    const filter = FILTERS.find((known) => known === name);
    if (filter && value !== '') search[filter].push(value);
    else if (name === 'has' && value === 'attachment') search.hasAttachment = true;
    else if (name === undefined) search.words.push(value);
    else return `\`${term}\` is no filter. Filters are \`from:\`, \`to:\`, \`subject:\` and \`has:attachment\`.`;
  }
  return search;
}

/** A message, as far as it is searched. */
interface Searched {
  from: string;
  to: readonly string[];
  subject: string;
  attachments: number;
}

/** Messages that match all of a search. */
export function matching<Message extends Searched>(messages: readonly Message[], search: InboxSearch): Message[] {
  return messages.filter((message) => {
    const texts = {
      from: [message.from],
      to: message.to,
      subject: [message.subject],
      words: [message.from, ...message.to, message.subject],
    };
    const names = [...FILTERS, 'words'] as const;
    return (
      (!search.hasAttachment || message.attachments > 0) &&
      names.every((name) => search[name].every((wanted) => texts[name].some((text) => includes(text, wanted))))
    );
  });
}

function includes(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted);
}
