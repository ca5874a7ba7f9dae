/** Systems limit one argument of a command to 128 KiB, in which quotes count more than once. Characters. */
const LONGEST_ARGUMENT = 32_000;

/** Control characters, and those that change the direction of text or end a line. JSON has escapes for them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A command that calls the API. A long body follows the command instead of being a part of it.
 *
 * @param token a key. Default: the shell fills it in
 */
export function curlOf(apiUrl: string, method: string, path: string, body?: unknown, token = '$API_KEY'): string {
  const url = quoted(`${apiUrl.replace(/\/$/, '')}/${path}`);
  const json = body === undefined ? undefined : visible(JSON.stringify(body));
  const isLong = json !== undefined && json.length > LONGEST_ARGUMENT;
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${url}`,
    `-H "Authorization: Bearer ${token}"`,
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...(json === undefined ? [] : [isLong ? "--data-binary @- <<'END'" : `-d ${quoted(json)}`]),
  ];
  const command = lines.join(' \\\n  ');
  return isLong ? `${command}\n${json}\nEND` : command;
}

/** In single quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same JSON, with escapes for characters that a terminal or a reader would not see. */
function visible(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(UNSEEN, (sign) => sign.split('').map(escaped).join(''));
}
