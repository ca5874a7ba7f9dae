/** Ways to unsubscribe that a header offers: by one click (RFC 8058), otherwise (RFC 2369), or none. */
export type UnsubscribeOffer = 'oneClick' | 'link' | 'none';

export function unsubscribeOffer(headers: readonly { name: string; value: string }[]): UnsubscribeOffer {
  const find = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
  const target = find('list-unsubscribe');
  if (!target) return 'none';
  const asks = /^\s*List-Unsubscribe=One-Click\s*$/i.test(find('list-unsubscribe-post') ?? '');
  return asks && /<https:/i.test(target) ? 'oneClick' : 'link';
}
