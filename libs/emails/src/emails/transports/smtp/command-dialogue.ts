import type { Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { type Reply, ReplyReader } from './reply-reader.js';
import { SAID_MORE } from './smtp-dialogue.js';
import { brokenBy, fault } from './smtp-fault.js';

/**
 * The dialogue on a connection before it carries messages, or for a single question. Each command waits for its reply
 * (RFC 5321 section 4.2); a server that sends additional replies is given up.
 */
export class CommandDialogue {
  private readonly reader = new ReplyReader();
  private readonly replies: Reply[] = [];
  private fault: Error | undefined;
  private isSecuring = false;
  private wake = () => {};

  /** @param patience time limit for a whole reply, in milliseconds */
  constructor(
    private socket: Socket,
    private readonly patience: number,
  ) {
    socket.once('connect', () => this.wake());
    this.attach();
  }

  connected(patience: number): Promise<void> {
    return this.until(() => !this.socket.connecting, patience, 'Connecting took too long.');
  }

  /** Resolves with the reply, of any code. @param command without its line end */
  ask(command: string): Promise<Reply> {
    this.say(command);
    return this.reply();
  }

  /** Like `ask`, for a command with a secret: no error quotes the server's text, which may contain the command. */
  async askInSecret(command: string): Promise<Reply> {
    this.say(command);
    const reply = await this.anyReply(this.patience);
    if (reply.code === 0) throw fault('The next hop gave no SMTP reply to a login.', 'EPROTOCOL');
    return reply;
  }

  /** Waits for a reply without a command: the greeting. */
  async reply(patience = this.patience): Promise<Reply> {
    const reply = await this.anyReply(patience);
    if (reply.code === 0) throw fault(`The next hop gave no SMTP reply: ${reply.text}`, 'EPROTOCOL');
    return reply;
  }

  /** Resolves as `work` does, unless the connection ends first. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
      this.wake();
    };
    work.then(done, done);
    await this.until(() => isDone, this.patience, 'The access token took too long.');
    return work;
  }

  /** Continues with TLS. Unrequested bytes before TLS may come from an attacker (RFC 3207 section 6). */
  async secure(options: ConnectionOptions, patience: number): Promise<void> {
    this.refuseMore();
    this.detach();
    let isSecure = false;
    this.isSecuring = true;
    const socket = this.socket.on('error', this.failed);
    this.socket = connect({ ...options, socket }, () => {
      isSecure = true;
      this.wake();
    });
    this.attach();
    await this.until(() => isSecure, patience, 'The TLS handshake took too long.');
    this.isSecuring = false;
  }

  /** Releases the connection for another use, without listeners. */
  leave(): Socket {
    this.refuseMore();
    this.detach();
    return this.socket;
  }

  end(reason: Error): void {
    this.fault ??= reason;
    this.socket.destroy();
    this.wake();
  }

  private say(command: string): void {
    this.refuseMore();
    this.socket.write(`${command}\r\n`);
  }

  private async anyReply(patience: number): Promise<Reply> {
    await this.until(() => this.replies.length > 0, patience, 'The next hop did not answer in time.');
    return this.replies.shift() as Reply;
  }

  private attach(): void {
    this.socket.on('data', this.heard).on('error', this.failed).on('end', this.closed).on('close', this.closed);
  }

  private detach(): void {
    this.socket.off('data', this.heard).off('error', this.failed).off('end', this.closed).off('close', this.closed);
  }

  private async until(isSo: () => boolean, patience: number, late: string): Promise<void> {
    const timer = setTimeout(() => this.end(fault(late, 'ETIMEDOUT')), patience);
    try {
      while (!isSo()) {
        if (this.fault) throw this.fault;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Remaining bytes would be taken for the reply to the next command. */
  private refuseMore(): void {
    if (this.replies.length > 0 || this.reader.unfinished) throw saidMore();
    if (this.fault) throw this.fault;
  }

  private readonly heard = (bytes: Buffer) => {
    this.replies.push(...this.reader.read(bytes));
    if (this.replies.length > 1) this.end(saidMore());
    this.wake();
  };

  private readonly failed = (error: Error) => this.end(brokenBy(error, this.isSecuring ? 'ETLS' : 'ESOCKET'));

  private readonly closed = () => {
    const { refusalCutOff } = this.reader;
    if (refusalCutOff && !this.fault) this.replies.push(refusalCutOff);
    this.end(fault('The next hop closed the connection.', this.isSecuring ? 'ETLS' : 'ECONNECTION'));
  };
}

function saidMore(): Error {
  return fault(SAID_MORE.text, 'EPROTOCOL');
}
