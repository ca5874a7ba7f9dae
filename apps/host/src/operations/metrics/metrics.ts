import type {
  EmailEvent,
  EmailEventListener,
  EmailsObserver,
  ObservedAcceptance,
  ObservedAttempt,
  ObservedFailure,
  ObservedNextHop,
} from 'nestjs-emails';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { destinationClass } from './destination-class.js';
import { counter, gauge, histogram } from './series.js';

/** Work of this process since its start, for Prometheus. No address and no domain is ever a label. */
export class Metrics implements EmailsObserver, EmailEventListener {
  readonly registry = new Registry();

  private readonly acceptances = histogram(this.registry, 'emails_acceptance_seconds');
  private readonly acceptedEmails = counter(this.registry, 'emails_accepted_total');
  private readonly events = counter(this.registry, 'emails_recipient_events_total');
  private readonly attempts = counter(this.registry, 'emails_attempts_total');
  private readonly transportAttempts = counter(this.registry, 'emails_transport_attempts_total');
  private readonly transportsDown = gauge(this.registry, 'emails_transport_down');
  /** When each transport was found down, in seconds since 1970. */
  private readonly down = new Map<string, number>();
  private readonly failures = counter(this.registry, 'emails_delivery_failures_total');
  private readonly hopsDown = gauge(this.registry, 'emails_next_hop_down');
  private readonly downSince = gauge(this.registry, 'emails_next_hop_down_since_timestamp_seconds');
  private readonly acceptedAt = gauge(this.registry, 'emails_next_hop_accepted_timestamp_seconds');
  private readonly attemptTimes = histogram(this.registry, 'emails_attempt_seconds');
  private readonly deliveries = histogram(this.registry, 'emails_delivery_seconds');

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  accepted({ duration }: ObservedAcceptance): void {
    this.acceptedEmails.inc();
    this.acceptances.observe(duration / 1_000);
  }

  attempted({ outcomes, transport, duration, age }: ObservedAttempt): void {
    this.attemptTimes.observe(duration / 1_000);
    for (const { outcome, address } of outcomes) {
      this.attempts.inc({ outcome, destination: destinationClass(address) });
      this.transportAttempts.inc({ outcome, transport });
      if (outcome !== 'accepted') continue;
      this.deliveries.observe(age / 1_000);
      this.acceptedAt.set(Date.now() / 1_000);
    }
  }

  failed({ kind }: ObservedFailure): void {
    this.failures.inc({ kind });
  }

  nextHop({ nextHop: transport, isUp }: ObservedNextHop): void {
    if (isUp) this.down.delete(transport);
    else this.down.set(transport, Date.now() / 1_000);
    this.hopsDown.set(this.down.size);
    this.downSince.set(this.down.size === 0 ? 0 : Math.min(...this.down.values()));
    this.transportsDown.set({ transport }, isUp ? 0 : 1);
  }

  onEvents(events: readonly EmailEvent[]): void {
    for (const { type, recipient } of events) if (recipient !== undefined) this.events.inc({ type });
  }
}
