/** Which page is asked for. */
export interface PageRequest {
  /** 1 to 100. */
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
