import { Controller } from '@nestjs/common';
import { withFallbacks } from './feature-module.js';

@Controller('domains')
class NoDomainsController {}
@Controller('domains')
class DomainsController {}
@Controller('api-keys')
class ApiKeysController {}

const access = { name: 'access', controllers: [ApiKeysController], fallbackControllers: [NoDomainsController] };
const domains = { name: 'domains', controllers: [DomainsController] };
const controllersOf = (...features: Parameters<typeof withFallbacks>[0]) =>
  withFallbacks(features).map(({ controllers }) => controllers);

describe('withFallbacks', () => {
  it('serves a path by a fallback where no feature has it, in any order', () => {
    expect(controllersOf(access)).toEqual([[ApiKeysController, NoDomainsController]]);
    expect(controllersOf(access, domains)).toEqual([[ApiKeysController], [DomainsController]]);
    expect(controllersOf(domains, access)).toEqual([[DomainsController], [ApiKeysController]]);
  });

  it('does not count a feature without routes', () => {
    const silent = { ...domains, own: { routes: false } };
    expect(controllersOf(silent, access)).toEqual([[DomainsController], [ApiKeysController, NoDomainsController]]);
  });
});
