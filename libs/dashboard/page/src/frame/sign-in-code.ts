/** The code of a link that signs in once, from the fragment of an address, which no server and no log sees. */
export function codeOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') || undefined;
}

/** Removes the code from the address bar, valid or not. */
export function consumeCode(): string | undefined {
  const code = codeOf(location.hash);
  if (/^#code=/.test(location.hash)) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return code;
}
