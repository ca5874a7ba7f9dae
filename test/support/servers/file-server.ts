import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../basics/cleanup.js';

/** An HTTP server on 127.0.0.1 with files for `attachments[].path`, or one that must never be called. */
export class FileServer {
  /** Accepted connections since the start. */
  connections = 0;
  /** Requested paths since the start, in order. */
  readonly asked: string[] = [];
  /** Answers by path. Other paths are 404. */
  readonly routes: Record<string, RequestListener> = {};
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      this.asked.push(path);
      const route = this.routes[path] ?? (() => response.writeHead(404).end('nothing here'));
      route(request, response);
    });
    this.server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(): Promise<FileServer> {
    const files = new FileServer();
    files.server.listen(0, '127.0.0.1');
    await once(files.server, 'listening');
    afterFile(() => {
      files.server.close();
      files.server.closeAllConnections();
    });
    return files;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** `127.0.0.1:port` */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }
}
