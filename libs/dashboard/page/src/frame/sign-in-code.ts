/** The code of a link that signs in once, from the fragment of an address, which no server and no log sees. */
export function codeOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') || undefined;
}

/** Takes the code out of the address bar, whatever becomes of it. */
export function takeCode(): string | undefined {
  const code = codeOf(location.hash);
  if (/^#code=/.test(location.hash)) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}
