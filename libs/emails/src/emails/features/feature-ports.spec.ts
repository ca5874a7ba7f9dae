import type { EmailsOptions } from '../emails.options.js';
import type { EmailsFeature } from './emails-feature.js';
import { portsOf, wholeOptions } from './feature-ports.js';

const [GIVEN, WHOLE, TOPICS, FIRST, SECOND] = ['given', 'whole', 'topics', 'first', 'second'].map((name) =>
  Symbol(name),
);

const features = [
  { name: 'topics', topicPolicy: TOPICS, personErasers: [FIRST, SECOND] },
  { name: 'others', personErasers: [FIRST], observers: [SECOND] },
] as EmailsFeature[];

const ports = features.flatMap(portsOf);

/** The whole options, with a token for each provider. */
function wholeOf(given: object, check: (ports: Partial<EmailsOptions>) => void = () => {}) {
  const { inject = [], useFactory } = wholeOptions(WHOLE as symbol, GIVEN as symbol, ports, check);
  const tokenOf = (token: unknown) => ports.find(({ provide }) => provide === token)?.useExisting;
  return useFactory(given, ...inject.slice(1).map(tokenOf)) as EmailsOptions;
}

describe('the options with what features bring', () => {
  it('have the ports of features after those of the options', () => {
    expect(wholeOf({ personErasers: ['own'], publicUrl: 'https://a.test' })).toEqual({
      publicUrl: 'https://a.test',
      topicPolicy: TOPICS,
      templateSource: undefined,
      unsubscribeLinks: undefined,
      unsubscribeMailbox: undefined,
      domainDirectory: undefined,
      recipientPolicies: [],
      senderPolicies: [],
      messageStages: [],
      messageSigners: [],
      contentOwners: [],
      personErasers: ['own', FIRST, SECOND, FIRST],
      eventListeners: [],
      eventSubscriptions: [],
      observers: [SECOND],
      healthChecks: [],
      metrics: [],
      alarmSources: [],
    });
  });

  it('are checked as a whole', () => {
    const refuse = ({ observers }: Partial<EmailsOptions>) => {
      throw new Error(`${observers?.length} observers`);
    };
    expect(() => wholeOf({ observers: ['own'] }, refuse)).toThrow('2 observers');
  });

  it('inject each port by a token that no other feature has', () => {
    expect(ports.map(({ useExisting }) => useExisting)).toEqual([TOPICS, FIRST, SECOND, FIRST, SECOND]);
    expect(new Set(ports.map(({ provide }) => provide)).size).toBe(5);
  });
});
