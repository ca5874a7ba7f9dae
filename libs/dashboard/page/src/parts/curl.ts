/**
 * A command that calls the API.
 *
 * @param token a key. Default: the shell fills it in
 */
export function curlOf(apiUrl: string, method: string, path: string, body?: unknown, token = '$API_KEY'): string {
  const url = quoted(`${apiUrl.replace(/\/$/, '')}/${path}`);
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${url}`,
    `-H "Authorization: Bearer ${token}"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** In single quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
