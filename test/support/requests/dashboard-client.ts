import type { OutgoingHttpHeaders } from 'node:http';
import type { RunningHost } from '../hosts/running-host.js';
import { type Answer, httpRequest, type RequestOptions } from './http-request.js';

/**
 * A client of the dashboard that sends the page's requests: with a cookie, a page token, and the origin headers of a
 * browser.
 */
export class DashboardClient {
  /** Cookies like in a browser. */
  readonly cookies = new Map<string, string>();
  pageToken = '';

  constructor(
    private readonly host: RunningHost,
    private readonly mount = '/dashboard',
  ) {}

  /** Signs in with a key, by default that of the tests. */
  static async signedIn(host: RunningHost, token = host.token): Promise<DashboardClient> {
    const client = new DashboardClient(host);
    const { status, text } = await client.signIn({ token });
    if (status !== 200) throw new Error(`Signing in is answered ${status}: ${text}`);
    return client;
  }

  async signIn(proof: { token?: string; code?: string }, headers: OutgoingHttpHeaders = {}) {
    const answer = await this.ask<Record<string, unknown>>('POST', '/session', { body: proof, headers });
    if (answer.status === 200) this.pageToken = String(answer.body.page_token);
    return answer;
  }

  /** @param path below the mount path. Given headers replace those of the page; an undefined one is omitted. */
  async ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    { headers = {}, ...options }: RequestOptions = {},
  ): Promise<Answer<T>> {
    const answer = await httpRequest<T>(this.host.url, method, this.mount + path, {
      ...options,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
        'sec-fetch-site': 'same-origin',
        'x-emails-page': this.pageToken,
        ...headers,
      },
    });
    for (const cookie of answer.headers['set-cookie'] ?? []) this.keep(cookie);
    return answer;
  }

  private keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
