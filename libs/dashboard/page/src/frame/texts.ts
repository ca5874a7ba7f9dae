/** Texts around the screens. */
export const TEXTS = {
  outage: { details: 'See health' },
  goTo: {
    title: 'Go to',
    field: 'Screen, address or id',
    placeholder: 'Screen, email address or id',
    shortcut: 'Go to…',
    screens: 'Results',
    emailsTo: (address: string) => `Emails to ${address}`,
    person: (address: string) => `Person ${address}`,
    email: (id: string) => `Email ${id}`,
    none: 'Nothing matches. Type a screen, an email address, or an id.',
  },
} as const;
