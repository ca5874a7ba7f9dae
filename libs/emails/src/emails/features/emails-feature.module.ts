import { ConfigurableModuleBuilder, type DynamicModule, Inject, Module, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ACCOUNT_RESOLVER, type AccountResolver } from '../../shared/callers/account-resolver.js';
import { CORE_OPTIONS, type CoreOptions } from '../../shared/features/feature.js';
import type { FeatureExtras } from '../../shared/features/feature.options.js';
import { featureModule, guardsOf, importComposer, withFallbacks } from '../../shared/features/feature-module.js';
import { EXTRAS_RULES } from '../../shared/features/feature-settings.js';
import { refuseSecond } from '../../shared/features/refuse-second.js';
import {
  COMPOSED,
  checkedProviders,
  needOptions,
  refuseBare,
  requiredAccountResolver,
  requiredGuards,
} from '../../shared/options/module-options.js';
import { both, flag, list, required, secret, webAddress } from '../../shared/options/rules.js';
import { accountResolverOf, hasRoutes } from '../../shared/routes/mounted.js';
import type { EmailsFeature } from './emails-feature.js';
import { broughtRules, featuresRule, listOf, needResolver, withoutEmailsRule } from './features.rule.js';

/** Options of `EmailsFeatureModule.forRoot` and of `forRootAsync`'s factory. */
export interface EmailsFeatureOptions extends CoreOptions {
  /** Finds the account of a request. Required with routes, unless a feature brings one. */
  accountResolver?: AccountResolver;
}

/** Decided when the module is composed, before any provider exists. */
export interface EmailsFeatureExtras extends Omit<FeatureExtras, 'accountResolver'> {
  /** At least one. */
  features: readonly EmailsFeature[];

  /** Lets every module of the host inject what features export without importing this one. Default: false. */
  isGlobal?: boolean;
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<EmailsFeatureOptions>({
  optionsInjectionToken: CORE_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<EmailsFeatureExtras>({ features: [] }, (definition, extras) => {
    const providers = checkedProviders(rulesOf(extras), definition, extras);
    const { features, isGlobal = false } = extras;
    const brought = guardsOf(features);
    const guards = [...brought, ...(extras.guards ?? [])];
    // Nest gives the imports of `forRootAsync` with the definition.
    const imports = [...(definition.imports ?? []), ...(extras.imports ?? [])];
    const modules = withFallbacks(features).map((feature) =>
      featureModule(feature, { ...extras, imports, brought, guards, composer: definition.module }),
    );
    const composed: DynamicModule = {
      ...definition,
      imports: [...modules, ...imports],
      providers: [...providers, { provide: COMPOSED, useValue: true }, accountResolverOf(CORE_OPTIONS, features)],
      exports: [CORE_OPTIONS, ACCOUNT_RESOLVER, ...modules],
      global: isGlobal,
    };
    importComposer(modules, composed);
    return composed;
  })
  .build();
needOptions('EmailsFeatureModule', ConfigurableModuleClass);

/**
 * Features without emails: contacts and topics for a backend that sends by other means. Import it with `forRoot` or
 * `forRootAsync`, next to `TypeOrmModule` (with `emailsDatabase({ features, core: false })`). With emails, features are
 * passed to `EmailsModule`.
 */
@Module({})
export class EmailsFeatureModule extends ConfigurableModuleClass {
  /** @internal Created by Nest. */
  constructor(@Optional() @Inject(COMPOSED) composed: true | undefined, modules: ModulesContainer) {
    super();
    refuseBare('EmailsFeatureModule', composed);
    refuseSecond(EmailsFeatureModule, modules);
  }
}

const WHICH = 'it says what there is, such as `[audience()]`';

function rulesOf({ features, role, routes }: EmailsFeatureExtras) {
  const servesHttp = hasRoutes(role, routes);
  const composed = listOf(features);
  const resolves = needResolver(composed, role, routes);
  const { accountResolver, ...extras } = EXTRAS_RULES;
  return {
    module: 'EmailsFeatureModule',
    token: CORE_OPTIONS,
    options: {
      secretKeys: list(secret),
      publicUrl: webAddress,
      accountResolver: resolves ? requiredAccountResolver : accountResolver,
      ...broughtRules(['accountResolver'], composed),
    },
    extras: {
      ...extras,
      features: required(
        both(featuresRule, (path, value) =>
          composed.length > 0 ? withoutEmailsRule(path, value) : [`\`${path}\` is empty: ${WHICH}.`],
        ),
        WHICH,
      ),
      isGlobal: flag,
      ...(servesHttp && guardsOf(composed).length === 0 && { guards: requiredGuards }),
    },
    mayBeNone: !resolves,
  };
}
