import { subscribe } from 'node:diagnostics_channel';
import { INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** A longer path segment counts as a token. */
const LONGEST = 50;

/**
 * Requests and jobs in progress, from Node's and OpenTelemetry's hooks: received requests, sent requests (to webhooks),
 * and spans (`emails.deliver`, `emails.attempt`, those of the host).
 */
export class Work {
  /** From the key of a piece of work to a function that returns its name. */
  underWay = new Map();
  windows = new Set();

  static async watch() {
    const work = new Work();
    subscribe('http.server.request.start', ({ request, response }) => {
      work.begin(request, () => routeOf(request));
      response.once('close', () => work.end(request));
    });
    subscribe('http.client.request.start', ({ request }) => {
      work.begin(request, () => `request to ${request.getHeader('host')}`);
      request.once('close', () => work.end(request));
    });
    // A process cannot have two providers.
    if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT)
      trace.setGlobalTracerProvider({ getTracer: () => new NamingTracer(work) });
    return work;
  }

  get isQuiet() {
    return this.underWay.size === 0;
  }

  begin(key, name) {
    this.underWay.set(key, name);
  }

  end(key) {
    const name = this.underWay.get(key);
    if (!name || !this.underWay.delete(key)) return;
    for (const window of this.windows) window.ended.push(name);
  }

  /** Work in progress at any time between two calls of `take`. */
  window() {
    const window = new Window(this);
    this.windows.add(window);
    return window;
  }
}

class Window {
  ended = [];

  constructor(work) {
    this.work = work;
  }

  /** Returns a function that counts by name; it is called at once or never. */
  take() {
    const { ended } = this;
    if (ended.length > 0) this.ended = [];
    return () => {
      const counts = {};
      for (const name of [...ended, ...this.work.underWay.values()]) counts[name()] = (counts[name()] ?? 0) + 1;
      return counts;
    };
  }
}

/** The pattern of the route if there is one, else the path without variable parts. */
function routeOf({ method, url = '', originalUrl = url, route }) {
  if (typeof route?.path === 'string') return `${method} ${route.path}`;
  const [path = ''] = originalUrl.split('?');
  const parts = path.replaceAll(UUID, ':id').split('/');
  return `${method} ${parts.map((part) => (part.length > LONGEST ? ':token' : part)).join('/')}`;
}

/** Records only the names of open spans. */
class NamingTracer {
  constructor(work) {
    this.work = work;
  }

  startSpan(name) {
    return new NamedSpan(this.work, name);
  }

  startActiveSpan(name, ...args) {
    return args.at(-1)(this.startSpan(name));
  }
}

class NamedSpan {
  constructor(work, name) {
    this.work = work;
    work.begin(this, () => name);
  }

  end() {
    this.work.end(this);
  }

  isRecording() {
    return false;
  }

  spanContext() {
    return INVALID_SPAN_CONTEXT;
  }
}

for (const name of [
  'setAttribute',
  'setAttributes',
  'addEvent',
  'addLink',
  'addLinks',
  'setStatus',
  'updateName',
  'recordException',
]) {
  NamedSpan.prototype[name] = function () {
    return this;
  };
}
