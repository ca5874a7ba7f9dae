import type { Abstract } from '@nestjs/common';
import type { Feature } from '../../shared/features/feature.js';
import type { AlarmSource } from '../ports/alarm-source.js';
import type { ContentOwner } from '../ports/content-owner.js';
import type { DomainDirectory } from '../ports/domain-directory.js';
import type { EmailsObserver } from '../ports/emails-observer.js';
import type { EmailEventListener } from '../ports/event-listener.js';
import type { EventSubscription } from '../ports/event-subscription.js';
import type { HealthCheck } from '../ports/health-check.js';
import type { MessageSigner } from '../ports/message-signer.js';
import type { MessageStage } from '../ports/message-stage.js';
import type { MetricsSource } from '../ports/metrics-source.js';
import type { PersonEraser } from '../ports/person-eraser.js';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import type { SenderPolicy } from '../ports/sender-policy.js';
import type { TemplateSource } from '../ports/template-source.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { UnsubscribeLinks } from '../ports/unsubscribe-links.js';
import type { UnsubscribeMailbox } from '../ports/unsubscribe-mailbox.js';

/**
 * Injection token of a provider of this kind: its class, or a symbol or string. A factory that gives undefined takes the
 * port back, so that options decide about it.
 */
export type Provided<T> = Abstract<T> | symbol | string;

/**
 * A part that an application adds to `EmailsModule` by one line: `features: [access(), audience()]`. Your own feature
 * is such an object. Ports are named by the tokens of their providers; unneeded parts are left out.
 *
 * @example
 * ```ts
 * const suppressions: EmailsFeature = {
 * name: 'suppressions',
 * providers: [Suppressions],
 * entities: [SuppressionEntity],
 * migrations: [CreateSuppressions1764000000000],
 * recipientPolicies: [Suppressions],
 * personErasers: [Suppressions],
 * };
 * ```
 */
export interface EmailsFeature extends Feature {
  /** Only one feature may bring one, and then the options have none. */
  topicPolicy?: Provided<TopicPolicy>;

  /** Only one feature may bring one, and then the options have none. */
  templateSource?: Provided<TemplateSource>;

  /** Only one feature may bring them, and then the options have none. */
  unsubscribeLinks?: Provided<UnsubscribeLinks>;

  /** Only one feature may bring one, and then the options have none. */
  unsubscribeMailbox?: Provided<UnsubscribeMailbox>;

  /** Only one feature may bring one, and then the options have none. */
  domainDirectory?: Provided<DomainDirectory>;

  /** Asked after those of the options. */
  recipientPolicies?: readonly Provided<RecipientPolicy>[];

  /** Asked after those of the options. */
  senderPolicies?: readonly Provided<SenderPolicy>[];

  /** Run after those of the options, in each place. */
  messageStages?: readonly Provided<MessageStage>[];

  /** Asked before messages are built. One of them that signs is enough. */
  messageSigners?: readonly Provided<MessageSigner>[];

  contentOwners?: readonly Provided<ContentOwner>[];

  personErasers?: readonly Provided<PersonEraser>[];

  eventListeners?: readonly Provided<EmailEventListener>[];

  eventSubscriptions?: readonly Provided<EventSubscription>[];

  observers?: readonly Provided<EmailsObserver>[];

  healthChecks?: readonly Provided<HealthCheck>[];

  metrics?: readonly Provided<MetricsSource>[];

  alarmSources?: readonly Provided<AlarmSource>[];
}

/** Ports of which there is one. */
export const SINGLE_PORTS = [
  'topicPolicy',
  'templateSource',
  'unsubscribeLinks',
  'unsubscribeMailbox',
  'domainDirectory',
] as const;

/** Ports of which there may be many. */
export const LISTED_PORTS = [
  'recipientPolicies',
  'senderPolicies',
  'messageStages',
  'messageSigners',
  'contentOwners',
  'personErasers',
  'eventListeners',
  'eventSubscriptions',
  'observers',
  'healthChecks',
  'metrics',
  'alarmSources',
] as const;

export type PortName = (typeof SINGLE_PORTS | typeof LISTED_PORTS)[number];
