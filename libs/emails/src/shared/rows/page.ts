/** A request for a page. */
export interface PageRequest {
  /** 1 to 100, or 1,000 for a list without a limit. */
  limit: number;
  /** The page next to this object, in this direction. Default: the newest page. */
  cursor?: { direction: 'older' | 'newer'; id: string };
}

/** A found page. */
export interface Page<T> {
  /** Newest first. */
  items: T[];
  /** More exist in the direction of travel. */
  hasMore: boolean;
}

/** A page of a list on the wire. */
export interface ListEnvelope<T> {
  object: 'list';
  has_more: boolean;
  data: T[];
}

/** Converts a page to its wire format. */
export function toEnvelope<Item, Shown>(
  { items, hasMore }: Page<Item>,
  show: (item: Item) => Shown,
): ListEnvelope<Shown> {
  return { object: 'list', has_more: hasMore, data: items.map(show) };
}
