import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UnsubscribePage } from '../page/unsubscribe-page.js';
import { ENGLISH } from '../page/unsubscribe-texts.js';
import type { UnsubscribeOptions } from '../unsubscribe.options.js';
import { PageWriter } from './page-writer.js';

const DATA = { accountId: 'one', address: 'jane@to.test', topics: [], isOutOfAll: false, change: null };
const texts = { de: { ...ENGLISH, title: 'Ihre Auswahl', invalidTitle: 'Ungültig' } };

async function written(options: UnsubscribeOptions, isValid = true) {
  const headers: Record<string, unknown> = {};
  const response = {
    statusCode: 0,
    html: '',
    headers,
    setHeader(name: string, value: unknown) {
      headers[name] = value;
    },
    end(html: string) {
      this.html = html;
    },
  };
  const request = { headers: { 'accept-language': 'de-CH, fr;q=0.5' }, complete: true } as IncomingMessage;
  const writer = new PageWriter(options);
  const to = response as unknown as ServerResponse;
  writer.prepare(to);
  await (isValid ? writer.write(DATA, request, to) : writer.writeInvalid(request, to));
  return response;
}

describe('PageWriter', () => {
  it("writes the library's page in the reader's language", async () => {
    const { html, statusCode, headers } = await written({ texts });
    expect([statusCode, headers['content-length'], headers.vary]).toEqual([
      200,
      Buffer.byteLength(html),
      'Accept-Language',
    ]);
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('<h1>Ihre Auswahl</h1>');
    expect(await written({ texts }, false)).toMatchObject({
      statusCode: 404,
      html: expect.stringContaining('Ungültig'),
    });
    expect((await written({})).html).toContain('lang="en"');
  });

  it('writes a page of the host, which runs no script and is in no frame either', async () => {
    const page: UnsubscribePage = {
      render: async ({ address, language, texts: { title } }) => `<p>${address} ${language} ${title}</p>`,
    };
    const { html, headers } = await written({ page, texts });
    expect(html).toBe('<p>jane@to.test de Ihre Auswahl</p>');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers['content-security-policy']).not.toContain('script-src');
    const invalid = await written({ page, texts }, false);
    expect(invalid).toMatchObject({ statusCode: 404, html: expect.stringContaining('Ungültig') });
    expect(invalid.headers['content-security-policy']).toContain("style-src 'sha256-");
    const whole = { ...page, renderInvalid: () => 'no' };
    expect(await written({ page: whole }, false)).toMatchObject({ statusCode: 404, html: 'no' });
  });

  it('passes on what a page of the host throws', async () => {
    const page = { render: () => Promise.reject(new Error('broken')) };
    await expect(written({ page })).rejects.toThrow('broken');
  });
});
