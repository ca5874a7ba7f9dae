import {
  type EmailEvent,
  type EmailEventListener,
  type EmailsObserver,
  type ObservedAcceptance,
  type ObservedAttempt,
  type ObservedFailure,
  type ObservedNextHop,
  RECIPIENT_EVENTS,
} from 'nestjs-emails';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DESTINATION_CLASSES, destinationClass } from './destination-class.js';

const FAILURES = ['reply', 'network', 'policy', 'message', 'error'] as const;
const OUTCOMES = ['accepted', 'deferred', 'rejected', 'unknown'] as const;

/** In seconds: a request takes milliseconds, a delivery may take the days of its retries. */
const ACCEPTANCE_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400, 432_000];

/** What this process has done since its start, for Prometheus. No address and no domain is ever a label. */
export class Metrics implements EmailsObserver, EmailEventListener {
  readonly registry = new Registry();

  private readonly acceptances = new Histogram({
    name: 'emails_acceptance_seconds',
    help: 'From a valid request to its commit; the count is that of accepted emails.',
    buckets: ACCEPTANCE_BUCKETS,
    registers: [this.registry],
  });
  private readonly acceptedEmails = new Counter({
    name: 'emails_accepted_total',
    help: 'Emails accepted.',
    registers: [this.registry],
  });
  private readonly events = new Counter({
    name: 'emails_recipient_events_total',
    help: 'Events of recipients, once each: sent, delivered, delivery_delayed, bounced, failed, suppressed.',
    labelNames: ['type'],
    registers: [this.registry],
  });
  private readonly attempts = new Counter({
    name: 'emails_attempts_total',
    help: 'Attempts by recipient, by what came of them and by who receives.',
    labelNames: ['outcome', 'destination'],
    registers: [this.registry],
  });
  private readonly failures = new Counter({
    name: 'emails_delivery_failures_total',
    help: 'Deliveries that failed for somebody, by why: a reply, the network, a policy, a message that cannot be made.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  private readonly hopsDown = new Gauge({
    name: 'emails_next_hop_down',
    help: '1 while this process can have no connection to its next hop, and mail for it waits; else 0.',
    registers: [this.registry],
  });
  private readonly attemptTimes = new Histogram({
    name: 'emails_attempt_seconds',
    help: 'What one attempt took on the wire.',
    buckets: ATTEMPT_BUCKETS,
    registers: [this.registry],
  });
  private readonly deliveries = new Histogram({
    name: 'emails_delivery_seconds',
    help: 'From acceptance, or from the scheduled time, until the next hop took the email; once for each recipient.',
    buckets: DELIVERY_BUCKETS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // A series that begins at zero can be alarmed on from its first increase.
    for (const type of RECIPIENT_EVENTS) this.events.inc({ type }, 0);
    for (const kind of FAILURES) this.failures.inc({ kind }, 0);
    for (const outcome of OUTCOMES) {
      for (const destination of DESTINATION_CLASSES) this.attempts.inc({ outcome, destination }, 0);
    }
  }

  accepted({ duration }: ObservedAcceptance): void {
    this.acceptedEmails.inc();
    this.acceptances.observe(duration / 1_000);
  }

  attempted({ outcomes, duration, age }: ObservedAttempt): void {
    this.attemptTimes.observe(duration / 1_000);
    for (const { outcome, address } of outcomes) {
      this.attempts.inc({ outcome, destination: destinationClass(address) });
      if (outcome === 'accepted') this.deliveries.observe(age / 1_000);
    }
  }

  failed({ kind }: ObservedFailure): void {
    this.failures.inc({ kind });
  }

  nextHop({ isUp }: ObservedNextHop): void {
    this.hopsDown.set(isUp ? 0 : 1);
  }

  onEvents(events: readonly EmailEvent[]): void {
    for (const { type, recipient } of events) if (recipient !== undefined) this.events.inc({ type });
  }
}
