import type { ExistingProvider, FactoryProvider } from '@nestjs/common';
import type { EmailsOptions } from '../emails.options.js';
import { type EmailsFeature, LISTED_PORTS, type PortName, SINGLE_PORTS } from './emails-feature.js';

/** A provider of a feature that is a port, under a token of its own: another feature may have a provider of the same name. */
export interface BroughtPort extends ExistingProvider {
  port: PortName;
}

/** The ports of a feature. */
export function portsOf(feature: EmailsFeature): BroughtPort[] {
  return [...SINGLE_PORTS, ...LISTED_PORTS].flatMap((port) =>
    [feature[port] ?? []].flat().map((useExisting) => ({
      port,
      provide: Symbol(`${port} of the feature ${feature.name}`),
      useExisting,
    })),
  );
}

/** A port of which there is one, for features: those whose other ports are part of the options as a whole may inject it. */
export function singlePort(
  provide: symbol,
  given: symbol,
  name: (typeof SINGLE_PORTS)[number],
  brought: readonly BroughtPort[],
): FactoryProvider {
  const ports = brought.filter(({ port }) => port === name);
  return {
    provide,
    inject: [given, ...ports.map((port) => port.provide)],
    useFactory: (options: EmailsOptions, instance?: unknown) => instance ?? options[name],
  };
}

/**
 * The options of the core with the ports of features.
 *
 * @param provide token of the whole
 * @param given token of the application's options
 * @param check of the whole
 */
export function wholeOptions(
  provide: symbol,
  given: symbol,
  brought: readonly BroughtPort[],
  check: (ports: Partial<EmailsOptions>) => void,
): FactoryProvider<EmailsOptions> {
  return {
    provide,
    inject: [given, ...brought.map((port) => port.provide)],
    useFactory: (options: EmailsOptions, ...instances: unknown[]) => {
      // A feature whose options need none of its ports provides undefined.
      const of = (name: PortName) =>
        instances.filter((instance, at) => instance !== undefined && brought[at]?.port === name);
      const single = SINGLE_PORTS.map((name) => [name, of(name)[0] ?? options[name]]);
      const listed = LISTED_PORTS.map((name) => [name, [...(options[name] ?? []), ...of(name)]]);
      const ports = Object.fromEntries([...single, ...listed]);
      check(ports);
      return { ...options, ...ports };
    },
  };
}
