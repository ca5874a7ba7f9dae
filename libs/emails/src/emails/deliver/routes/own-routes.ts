import { inTime } from '../../../shared/work/in-time.js';
import type { EmailTransport } from '../../ports/email-transport.js';
import type { OwnTransport } from '../../ports/route-chooser.js';
import { Route, type RouteParts } from './route.js';
import { LinePlaces, WaitingLine } from './waiting-line.js';

/** A transport without mail for this long is closed. Milliseconds. */
const IDLE = 300_000;
/** Limit of accounts' own transports that are open. */
const MAX_ROUTES = 1_000;
/** Time limit for making one. Milliseconds. */
const PATIENCE = 3_000;

interface Kept {
  made: Promise<Route>;
  /** Undefined until it is made. */
  route: Route | undefined;
  /** Emails that use it. */
  uses: number;
  timer: NodeJS.Timeout | undefined;
}

/** Accounts' own transports, made when they are needed and closed when they are idle. */
export class OwnRoutes {
  /** By key, the one that was entered last at the end. */
  private readonly kept = new Map<string, Kept>();
  /** For the emails of all together. */
  private readonly places: LinePlaces;
  private isStopped = false;

  constructor(
    private readonly parts: RouteParts,
    private readonly most = MAX_ROUTES,
  ) {
    this.places = new LinePlaces(halfOf(parts.concurrency));
  }

  /** The routes that are open. */
  get all(): Route[] {
    return [...this.kept.values()].flatMap(({ route }) => route ?? []);
  }

  /**
   * The route with this key, which stays open until `leave`. Rejects when it cannot be made, and with `NoOwnRoute`.
   */
  async enter({ key, make }: OwnTransport): Promise<Route> {
    const kept = this.kept.get(key) ?? this.begin(key, make);
    this.kept.delete(key);
    this.kept.set(key, kept);
    kept.uses++;
    clearTimeout(kept.timer);
    try {
      return await kept.made;
    } catch (error) {
      if (this.kept.get(key) === kept) this.kept.delete(key);
      throw error;
    }
  }

  leave({ name }: Route): void {
    const kept = this.kept.get(name);
    if (!kept || --kept.uses > 0 || this.isStopped) return;
    kept.timer = setTimeout(() => this.close(name), IDLE).unref();
  }

  /** Makes and closes no more, except those that are being made. */
  stop(): void {
    this.isStopped = true;
    for (const { timer } of this.kept.values()) clearTimeout(timer);
  }

  private begin(key: string, make: OwnTransport['make']): Kept {
    if (this.isStopped) throw new NoOwnRoute();
    if (this.kept.size >= this.most) this.closeOldest();
    const transport = inTime(Promise.resolve().then(make), PATIENCE, tooSlow, discard);
    const kept: Kept = {
      made: transport.then((made) => {
        if (this.isStopped) {
          discard(made);
          throw new NoOwnRoute();
        }
        const { places } = this;
        // One alone has a quarter of them; each gets less the more of them wait, and some are left.
        const line = new WaitingLine(() => Math.ceil(places.free / 3), places);
        kept.route = new Route({ name: key, transport: checked(made) }, this.parts, line);
        return kept.route;
      }),
      ...{ route: undefined, uses: 0, timer: undefined },
    };
    return kept;
  }

  private closeOldest(): void {
    for (const [key, { uses }] of this.kept) {
      if (uses > 0) continue;
      this.close(key);
      return;
    }
    throw new NoOwnRoute();
  }

  private close(key: string): void {
    const kept = this.kept.get(key);
    clearTimeout(kept?.timer);
    this.kept.delete(key);
    kept?.route?.breaker.stop();
    if (kept?.route) discard(kept.route.transport);
  }
}

/** Returns half of the emails that a process works on at the same time. */
export function halfOf(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 2));
}

function checked(made: EmailTransport): EmailTransport {
  const { hop, send, verify, close } = (made ?? {}) as Partial<EmailTransport>;
  const isWhole = [send, verify, close].every((method) => typeof method === 'function');
  if (!isWhole || (hop !== 'final' && hop !== 'relay')) throw new InvalidTransport();
  return made;
}

function discard(transport: EmailTransport): void {
  Promise.resolve()
    .then(() => transport.close())
    .catch(() => {});
}

function tooSlow(): never {
  throw new TransportTooSlow();
}

class TransportTooSlow extends Error {
  override readonly name = 'TransportTooSlow';
}

/** This process opens none now: too many are in use, or it stops. Nothing is wrong with the email or its transport. */
export class NoOwnRoute extends Error {
  override readonly name = 'NoOwnRoute';
}

class InvalidTransport extends Error {
  override readonly name = 'InvalidTransport';
}
