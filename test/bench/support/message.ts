/** Shape of the emails of a load. */
export interface Shape {
  /** Number of recipient domains, in turn. Default: 100. */
  domains?: number;
  /** Recipients of each. Default: 1. */
  recipients?: number;
  /** True if an attachment makes each 1 MB on the wire. */
  large?: boolean;
}

/** The email that every side sends: a small one. */
export function smallEmail(index: number, { domains = 100, recipients = 1 }: Shape = {}) {
  return {
    from: 'Orders <orders@shop.example>',
    to: Array.from({ length: recipients }, (_, nth) => `customer${index + nth}@d${(index + nth) % domains}.example`),
    subject: `Your order ${index} is on its way`,
    html: `<h1>Thank you</h1><p>Your order <b>${index}</b> left our house today.</p><p>${TEXT}</p>`,
    text: `Thank you\n\nYour order ${index} left our house today.\n\n${TEXT}\n`,
    tags: [{ name: 'kind', value: 'order' }],
  };
}

const TEXT = 'It will be with you within three days. Write to us when anything is not as it should be. '
  .repeat(3)
  .trim();

export const LARGE_ATTACHMENT = { filename: 'large.bin', content: Buffer.alloc(750_000, 'abc') };

/** Whole requests, for the generator: an email for each domain. */
export function shapedRequests(token: string, shape: Shape): string[] {
  const { filename, content } = LARGE_ATTACHMENT;
  const attachments = shape.large ? [{ filename, content: content.toString('base64') }] : [];
  return Array.from({ length: shape.domains ?? 100 }, (_, index) =>
    postRequest(token, { ...smallEmail(index, shape), attachments }),
  );
}

/** Whole requests, for the generator. */
export function postRequests(token: string, count = 100, change: object = {}): string[] {
  return Array.from({ length: count }, (_, index) => postRequest(token, { ...smallEmail(index), ...change }));
}

/** The same emails in one request. */
export function batchRequest(token: string, count = 100): string {
  return requestTo(
    '/emails/batch',
    token,
    Array.from({ length: count }, (_, index) => smallEmail(index)),
  );
}

export function postRequest(token: string, email: object): string {
  return requestTo('/emails', token, email);
}

/** A whole request, for the generator. */
export function requestTo(path: string, token: string, content: object, method = 'POST'): string {
  const body = JSON.stringify(content);
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

export function getRequest(token: string, path: string): string {
  return [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`, '', ''].join('\r\n');
}
