import { domainOf } from '../../../shared/mailbox/domain-of.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { isObject } from '../../../shared/options/rules.js';
import { inTime } from '../../../shared/work/in-time.js';
import type { EmailTransport } from '../../ports/email-transport.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import type { KnownNextHops } from '../../ports/next-hop-status.js';
import type { OwnTransport, RouteChooser, RoutedMail } from '../../ports/route-chooser.js';
import { TRANSPORT_NAME } from '../../ports/transport-name.js';
import { isPending } from '../../states/recipient-state.js';
import type { PendingEmail } from '../../storage/deliver/delivery.repository.js';
import { HopBits } from '../../storage/deliver/hop-bits.js';
import type { DownHop } from '../hop/next-hop.js';
import { together } from '../hop/recent-attempts.js';
import { halfOf, OwnRoutes } from './own-routes.js';
import { Route, type RouteParts } from './route.js';
import { inOrder } from './route-order.js';
import { namesOfTransports } from './transports-of.js';
import { WaitingLine } from './waiting-line.js';

/** Time limit for the route chooser. Milliseconds. */
const PATIENCE = 3_000;

/** The configured transports, and who chooses among them. */
export interface RoutingOptions {
  transports: readonly NamedTransport[];
  chooser?: RouteChooser | undefined;
  /** Applied to each transport, accounts' own ones included. Default: none. */
  wrap?: (transport: EmailTransport) => EmailTransport;
}

/** The routes that may take an email, in the order in which they are tried. */
export interface Candidates {
  routes: readonly Route[];
  /** Called once when the email needs them no more. */
  leave: () => void;
}

const nothing = () => {};

/** All routes of a process: the configured ones, and those of accounts. */
export class Routes {
  private readonly configured: readonly Route[];
  private readonly own: OwnRoutes;
  private readonly chooser: RouteChooser | undefined;
  /** True if there is one transport for all emails. */
  readonly isOnly: boolean;
  /** True if a rule or a chooser looks at emails. */
  private readonly isSelective: boolean;

  constructor(
    { transports, chooser, wrap = (transport) => transport }: RoutingOptions,
    others: Omit<RouteParts, 'wrap' | 'bits'>,
  ) {
    const parts = { ...others, wrap, bits: new HopBits(namesOfTransports({ transports })) };
    this.own = new OwnRoutes(parts);
    this.chooser = chooser;
    this.isSelective = chooser !== undefined || transports.some((transport) => transport.for !== undefined);
    // Own transports have the other half.
    const places = chooser ? halfOf(parts.concurrency) : parts.concurrency;
    const share = Math.max(1, Math.floor(places / transports.length));
    this.isOnly = !chooser && transports.length === 1;
    this.configured = transports.map((transport) => {
      // Without rules any transport may take any email, and each that waits for one may move to another.
      const line = this.isSelective && !this.isOnly ? new WaitingLine(() => share) : undefined;
      return new Route(transport, parts, line);
    });
  }

  get all(): readonly Route[] {
    return this.chooser ? [...this.configured, ...this.own.all] : this.configured;
  }

  /** The hops of all routes that are up (`hopBits`), without bits that a route shares which is down: its mail goes on waiting. */
  get upBits(): bigint {
    const { all } = this;
    return bitsOf(all.filter(({ breaker }) => !breaker.down)) & ~bitsOf(all.filter(({ breaker }) => breaker.down));
  }

  /** True if no route has an own limit for each destination. */
  get areRelays(): boolean {
    return this.all.every(({ rules }) => rules.hop === 'relay');
  }

  /** @throws InvalidRoute, RouteTooSlow, NoOwnRoute, or the error of the chooser or of a transport that cannot be made */
  async candidates(email: PendingEmail): Promise<Candidates> {
    if (!this.isSelective) return { routes: inOrder(this.configured, email.id), leave: nothing };
    const mail = routedMail(email);
    const chosen = this.chooser && (await this.ask(this.chooser, mail));
    if (chosen) return this.enter(chosen);
    return {
      routes: inOrder(
        this.configured.filter((route) => route.mayTake(mail)),
        email.id,
      ),
      leave: nothing,
    };
  }

  /** The route of an earlier attempt; the first one if it is not known any more. */
  named(name: string | null | undefined): Route {
    return this.all.find((route) => route.name === name) ?? (this.configured[0] as Route);
  }

  /** Undefined unless every route is down. */
  get down(): DownHop | undefined {
    const states = this.configured.map(({ breaker }) => breaker.down);
    return this.chooser || states.includes(undefined) ? undefined : states[0];
  }

  /** Resolves when a route is back, if all are down; after `patience` milliseconds at the latest. */
  async backWithin(patience: number): Promise<void> {
    if (this.down) await Promise.race(this.configured.map(({ breaker }) => breaker.backWithin(patience)));
  }

  /** The state of each configured transport, for operators. */
  get known(): KnownNextHops {
    const hops = this.configured.map(({ breaker }) => breaker.known);
    return { hops, recent: together(hops) };
  }

  /** Releases emails that wait for a route that is up. @param bits the hops that they wait for. Default: any */
  async goOn(bits = this.upBits): Promise<void> {
    const back = new Map(this.all.filter((route) => (route.bits & bits) !== 0n).map((route) => [route.bits, route]));
    await Promise.all([...back.values()].map(({ breaker }) => breaker.goOn()));
  }

  /** Asks nothing any more, and ends the waits for permits. */
  stop(): void {
    this.own.stop();
    for (const { breaker, permits } of this.all) {
      breaker.stop();
      permits?.stop();
    }
  }

  private async ask(chooser: RouteChooser, mail: RoutedMail): Promise<readonly (string | OwnTransport)[] | undefined> {
    const chosen: unknown = await inTime(Promise.resolve(chooser.choose(mail)), PATIENCE, () => {
      throw new RouteTooSlow();
    });
    if (chosen === undefined) return undefined;
    if (!Array.isArray(chosen)) throw new InvalidRoute();
    return chosen;
  }

  private async enter(chosen: readonly unknown[]): Promise<Candidates> {
    const entered: Route[] = [];
    const leave = () => {
      for (const route of entered) this.own.leave(route);
    };
    try {
      const routes: Route[] = [];
      for (const one of chosen) {
        if (typeof one === 'string') routes.push(this.configuredAs(one));
        else {
          const route = await this.own.enter(this.checked(one));
          entered.push(route);
          routes.push(route);
        }
      }
      return { routes: [...new Set(routes)], leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  private configuredAs(name: string): Route {
    const route = this.configured.find((one) => one.name === name);
    if (!route) throw new InvalidRoute();
    return route;
  }

  private checked(one: unknown): OwnTransport {
    const { key, make } = isObject(one) ? one : {};
    const isTaken = this.configured.some(({ name }) => name === key);
    if (typeof key !== 'string' || !TRANSPORT_NAME.test(key) || isTaken || typeof make !== 'function')
      throw new InvalidRoute();
    return { key, make: make as OwnTransport['make'] };
  }
}

function routedMail({ id, accountId, from, recipients, tags }: PendingEmail): RoutedMail {
  const pending = recipients.filter(isPending);
  return {
    accountId,
    emailId: id,
    fromDomain: domainOf(parseMailbox(from).envelope),
    recipientDomains: [...new Set(pending.map(({ address }) => domainOf(address)))],
    tags: tags ?? [],
    tried: triedBy(recipients),
  };
}

function bitsOf(routes: readonly Route[]): bigint {
  return routes.reduce((bits, route) => bits | route.bits, 0n);
}

/** Names of the transports that pending recipients were given to since the email's last wait. */
export function triedBy(recipients: PendingEmail['recipients']): string[] {
  return [...new Set(recipients.flatMap((recipient) => (isPending(recipient) ? (recipient.tried ?? []) : [])))];
}

class InvalidRoute extends Error {
  override readonly name = 'InvalidRoute';
}

class RouteTooSlow extends Error {
  override readonly name = 'RouteTooSlow';
}
