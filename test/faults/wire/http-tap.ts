import type { TapFactory } from '../../support/servers/proxy/tap.js';

/** A request on a connection of its own. */
export interface HttpExchange {
  /** Its first bytes, including headers. */
  request: string;
}

export const httpTap: TapFactory<HttpExchange> = (watch) => {
  const exchange: HttpExchange = { request: '' };
  let answered = false;
  return {
    async fromClient(bytes) {
      const first = exchange.request === '';
      exchange.request += bytes.toString('latin1');
      if (first) await watch('request', exchange);
      return bytes;
    },
    async fromServer(bytes) {
      if (!answered) {
        answered = true;
        await watch('answer', exchange);
      }
      return bytes;
    },
  };
};
