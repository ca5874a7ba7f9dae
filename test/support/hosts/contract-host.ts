import type { EmailDto } from 'nestjs-emails';
import type { Email } from 'postal-mime';
import { footprint } from '../reading/footprint.js';
import { parseMime } from '../reading/mime.js';
import type { Answer, RequestOptions } from '../requests/http-request.js';
import { CANARY, expectRefusal, type Refusal } from '../rules/refusals.js';
import { type SinkMessage, SmtpSink, type SmtpSinkOptions } from '../servers/smtp/smtp-sink.js';
import { type HostOptions, type RunningHost, startHost } from './host.js';
import { shareHost } from './shared-host.js';

export { CANARY, expectRefusal, invalid, missing, type Refusal } from '../rules/refusals.js';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface Delivered {
  id: string;
  message: SinkMessage;
  mail: Email;
}

/** The fields of a valid email with overrides; an undefined value removes one. */
export function letter(fields: object = {}): Record<string, unknown> {
  return { from: 'Sender <sender@from.test>', to: 'to@to.test', subject: 'Hello', text: CANARY, ...fields };
}

/** A host that sends to a sink, with helpers that expect a request to be accepted or refused. */
export class ContractHost {
  private readonly accepted = new Set<string>();

  private constructor(
    readonly host: RunningHost,
    readonly sink: SmtpSink,
  ) {}

  static async start(options: HostOptions & { sink?: SmtpSinkOptions } = {}): Promise<ContractHost> {
    const { sink: sinkOptions, ...hostOptions } = options;
    const sink = await SmtpSink.start(sinkOptions);
    return new ContractHost(await startHost({ smtp: sink, ...hostOptions }), sink);
  }

  /** The same with a host that files share, see `shareHost`. */
  static async share(): Promise<ContractHost> {
    const { host, sink } = await shareHost();
    return new ContractHost(host, sink);
  }

  /** Posts a `letter` with these fields, expects a 200 with only an id, and returns the id. */
  async accept(fields: object = {}, options: RequestOptions = {}): Promise<string> {
    const answer = await this.host.request('POST', '/emails', { body: letter(fields), ...options });
    expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(UUID) } });
    expect(Object.keys(answer.body)).toEqual(['id']);
    const { id } = answer.body as { id: string };
    this.accepted.add(id);
    return id;
  }

  /** The same, and waits for the message in the sink. */
  async deliver(fields: object = {}, options: RequestOptions = {}): Promise<Delivered> {
    const id = await this.accept(fields, options);
    const message = await this.sink.waitFor(carries(id));
    return { id, message, mail: await parseMime(message.raw) };
  }

  /** The email as `GET /emails` shows it among the newest 100. */
  async record(id: string, token = this.host.token): Promise<EmailDto> {
    const { body } = await this.host.request<{ data: EmailDto[] }>('GET', '/emails?limit=100', { token });
    const found = body.data.find((email) => email.id === id);
    if (!found) throw new Error(`GET /emails does not show ${id}.`);
    return found;
  }

  /** Posts a `letter` with these fields and expects this refusal, with nothing written. */
  async refuse(fields: object, refusal: Refusal, options: RequestOptions = {}): Promise<void> {
    await this.refuseRequest('POST', '/emails', { body: letter(fields), ...options }, refusal);
  }

  /** Expects that a request is refused in the contract's shape, without leaks and writes. */
  async refuseRequest(
    method: string,
    path: string,
    options: RequestOptions,
    refusal: Refusal,
  ): Promise<Answer<Record<string, unknown>>> {
    const before = await footprint(this.host);
    const answer = await this.host.request(method, path, options);
    expectRefusal(answer, refusal);
    expect(answer.text).not.toContain(this.host.token);
    expect(await footprint(this.host)).toEqual(before);
    return answer;
  }

  /** Expects that the sink received exactly the accepted messages. */
  async expectNothingElseSent(): Promise<void> {
    await this.deliver({ subject: 'The last one' });
    const strangers = this.sink.offered.filter((message) => ![...this.accepted].some((id) => carries(id)(message)));
    expect(strangers.map(({ raw }) => raw.toString())).toEqual([]);
  }
}

function carries(id: string): (message: SinkMessage) => boolean {
  return ({ raw }) => raw.includes(`<${id}@`);
}
