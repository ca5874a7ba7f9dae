/** Which page is asked for. */
export interface PageRequest {
  /** 1 to 100, or 1,000 where a list without a limit is asked for. */
  limit: number;
  /** The page next to this object, in this direction. Default: the newest page. */
  cursor?: { direction: 'older' | 'newer'; id: string };
}

/** A page that was found. */
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

/** A page as it goes over the wire. */
export function toEnvelope<Item, Shown>(
  { items, hasMore }: Page<Item>,
  show: (item: Item) => Shown,
): ListEnvelope<Shown> {
  return { object: 'list', has_more: hasMore, data: items.map(show) };
}
