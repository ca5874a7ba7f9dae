import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { EmailEvent } from '../ports/event-listener.js';
import { EventAnnouncer } from './event-announcer.js';
import { type EmailEventName, eventsOf } from './on-email-event.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Methods = Readonly<Record<string, (event: EmailEvent) => unknown>>;

/** Finds the application's methods with `@OnEmailEvent`, and calls each with its events. */
@Injectable()
export class EmailEventMethods implements OnApplicationBootstrap {
  private readonly logger = new Logger(EmailEventMethods.name);
  /** Known methods of each object. */
  private readonly listening = new WeakMap<object, Set<string>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly announcer: EventAnnouncer,
  ) {}

  /** @throws Error for a method of a class without a single instance */
  onApplicationBootstrap(): void {
    const scanner = new MetadataScanner();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const prototype = wrapper.isAlias ? undefined : prototypeOf(wrapper);
      if (!prototype) continue;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const names = eventsOf((prototype as Methods)[name] as object);
        if (names) this.listen(wrapper, name, names);
      }
    }
  }

  private listen(wrapper: Wrapper, method: string, names: readonly EmailEventName[]): void {
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
      throw new Error(`EmailsModule: ${wrapper.name} has \`@OnEmailEvent\` and must have the default scope.`);
    }
    if (this.isKnown(wrapper.instance, method)) return;
    const isFor = ({ type }: EmailEvent) => names.includes('*') || names.includes(`email.${type}`);
    this.announcer.listen({
      onEvents: async (events) => {
        await Promise.all(events.filter(isFor).map((event) => this.call(wrapper, method, { ...event })));
      },
    });
  }

  /** One object may be provided under several tokens. */
  private isKnown(instance: object, method: string): boolean {
    const known = this.listening.get(instance) ?? new Set();
    this.listening.set(instance, known);
    return known.size === known.add(method).size;
  }

  private async call(wrapper: Wrapper, method: string, event: EmailEvent): Promise<void> {
    try {
      await (wrapper.instance as Methods)[method]?.(event);
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown error';
      this.logger.error(`${wrapper.name}.${method} failed: ${kind}`);
    }
  }
}

function prototypeOf({ metatype, inject, instance }: Wrapper): object | undefined {
  // A factory's class is known from its result.
  const made = inject || !metatype ? (instance as object | undefined) : undefined;
  const prototype = made ? Object.getPrototypeOf(made) : metatype?.prototype;
  return prototype === null || prototype === Object.prototype ? undefined : prototype;
}
