import { join } from 'node:path';
import { checkTraces, readTrace } from '../model/trace-check.js';
import type { Random } from '../support/basics/random.js';
import type { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { collectEvidence } from './check/evidence.js';
import { type Figures, figuresOf, percentile } from './check/figures.js';
import { violations } from './check/invariants.js';
import type { Extent, Row, Scenario } from './scenarios/scenario.js';
import { type WebhookFigures, webhookFigures, webhookViolations } from './webhooks/check.js';
import { collectWebhooks } from './webhooks/evidence.js';
import { EmbeddedPostgres } from './world/embedded-postgres.js';
import { type Postgres, PostgresService } from './world/postgres-service.js';
import type { Slot } from './world/slot.js';
import { dataDirIn, type Hop, nameOf, type QueueKind, World } from './world/world.js';

export interface Result {
  kind: QueueKind;
  /** Name of the variant that ran; empty if the scenario has only one. */
  way: string;
  rows: { row: Row; figures: Figures }[];
  webhooks: { row: Row; figures: WebhookFigures }[];
  /** Empty if every promise was kept. */
  violations: string[];
}

export interface Stage {
  kind: QueueKind;
  pipelining: boolean;
  hop: Hop;
  postgres: PostgresService;
  folder: string;
  random: Random;
  extent: Extent;
}

/** Emails whose steps are shown. */
const MOST_STRAYED = 3;

/** Runs the scenario, waits until nothing is pending, and checks the result. */
export async function runScenario(scenario: Scenario, stage: Stage): Promise<Result> {
  const { kind, pipelining, hop, folder, random, extent } = stage;
  const way = scenario.bothWays ? `${hop} ${pipelining ? 'with' : 'without'} PIPELINING` : '';
  const own = await ownPostgres(scenario, folder);
  const postgres = own ?? stage.postgres;
  const { smtpQuery, hasBackup, environment, webhooks, embedded, traced } = scenario;
  const asked = {
    ...(smtpQuery && { smtpQuery }),
    ...(hasBackup && { hasBackup }),
    ...(environment && { environment }),
    ...(webhooks && { webhooks }),
    ...(embedded && { embedded }),
    ...(traced && { traced: true }),
  };
  const world = await World.create({ kind, pipelining, hop, postgres, folder, random, ...asked });
  try {
    const ending = await scenario.run(world, extent).then(
      () => [],
      (error: unknown) => [`It failed before its end: ${error instanceof Error ? error.message : error}`],
    );
    await world.settle();
    const evidence = await collectEvidence(world);
    const rows = scenario.rows
      .filter((row) => !row.webhooks)
      .map((row) => ({ row, figures: figuresOf(row.id, world, evidence) }));
    const told = webhooks ? await lookAtWebhooks(scenario, world, extent) : { rows: [], violations: [] };
    const found = [
      ...ending,
      ...told.violations,
      ...world.complaints,
      ...violations(evidence),
      ...strayed(scenario, world),
      ...rows.flatMap(({ row, figures }) => shortfalls(row, figures, extent, world.recoveryLimit)),
      ...haste(world),
      ...leaks(world),
      ...world.slots.flatMap((slot) => slot.beyondBudget()),
    ];
    const name = [kind, scenario.name, way].filter(Boolean).join(', ');
    return { kind, way, rows, webhooks: told.rows, violations: summary(found).map((text) => `${name}: ${text}`) };
  } finally {
    await world.close();
    await own?.stop();
  }
}

/** Undefined if all share one. */
async function ownPostgres(scenario: Scenario, folder: string): Promise<Postgres | undefined> {
  if (scenario.embedded) return EmbeddedPostgres.of(dataDirIn(folder));
  return scenario.ownPostgres ? PostgresService.start(join(folder, 'postgres')) : undefined;
}

async function lookAtWebhooks(
  scenario: Scenario,
  world: World,
  { hits }: Extent,
): Promise<{ rows: Result['webhooks']; violations: string[] }> {
  await world.endpoints.settle();
  const evidence = await collectWebhooks(world, world.endpoints);
  const rows = scenario.rows
    .filter((row) => row.webhooks)
    .map((row) => ({ row, figures: webhookFigures(row.id, world.hits.get(row.id), evidence) }));
  const lacking = rows.flatMap(({ row: { fault, failpoint }, figures }) => [
    ...(figures.owed === 0 ? [`"${fault}": no event was pending, so nothing is proved.`] : []),
    ...(failpoint && (figures.hits ?? 0) < hits ? [`"${fault}": hit ${figures.hits ?? 0} times, not ${hits}.`] : []),
  ]);
  return { rows, violations: [...webhookViolations(evidence), ...lacking] };
}

/** A complaint that many emails share is reported once, with one of them as an example. */
function summary(found: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const text of found) {
    const kind = text.replace(/^[a-z0-9-]+ \(\S+\): /, '');
    groups.set(kind, [...(groups.get(kind) ?? []), text]);
  }
  return [...groups.values()].map((texts) =>
    texts.length > 1 ? `${texts[0]} (${texts.length} of this kind)` : `${texts[0]}`,
  );
}

function shortfalls({ fault, crash, failpoint }: Row, figures: Figures, { hits }: Extent, limit: number): string[] {
  const { acked, recovery, lost, duplicated } = figures;
  const slowest = percentile(recovery, 0.99) ?? 0;
  return [
    ...(acked === 0 ? [`"${fault}": nothing was acknowledged, so nothing is proved.`] : []),
    ...(failpoint && (figures.hits ?? 0) < hits ? [`"${fault}": hit ${figures.hits ?? 0} times, not ${hits}.`] : []),
    ...(lost > 0 ? [`"${fault}": ${lost} lost.`] : []),
    ...(duplicated > 0 ? [`"${fault}": ${duplicated} duplicated outside unknown.`] : []),
    ...(crash && slowest >= limit
      ? [`"${fault}": recovery takes ${slowest} ms at p99, not ${Math.round(limit)}.`]
      : []),
  ];
}

/** Steps of workers that the model of the lease does not have. */
function strayed({ traced, hasBackup }: Scenario, world: World): string[] {
  if (!traced) return [];
  const steps = readTrace(world.traceFile);
  const waysTo = (of: (slot: Slot) => TcpProxy | undefined) =>
    world.slots.flatMap((slot) => of(slot) ?? []).map(({ port }) => `127.0.0.1:${port}`);
  const relays = [waysTo(({ smtp }) => smtp), ...(hasBackup ? [waysTo(({ backup }) => backup)] : [])];
  const found = checkTraces(steps, { faults: traced, relays, attempts: world.attempts, isOver: true });
  const shown = found.slice(0, MOST_STRAYED).map((text) => `A worker strays from the model. ${text}`);
  return [
    ...(steps.length === 0 ? ['No steps of workers were recorded.'] : []),
    ...shown,
    ...(found.length > shown.length ? [`Workers stray from the model with ${found.length} emails.`] : []),
  ];
}

function haste({ sinks }: World): string[] {
  return sinks
    .flatMap(({ hasty }) => [...hasty])
    .map((stage) => `The mail server got more before it had answered at ${stage}.`);
}

function leaks(world: World): string[] {
  const logs: [string, string][] = [
    ...world.slots.map((slot): [string, string] => ['A log line', slot.output]),
    ['The log of PostgreSQL', world.options.postgres.log()],
  ];
  return logs.flatMap(([name, text]) =>
    world
      .secrets()
      .filter((secret) => text.includes(secret))
      .map((secret) => {
        const line = text.split('\n').find((candidate) => candidate.includes(secret)) ?? '';
        return `${name} has ${nameOf(secret)}: ${line.slice(0, 300)}`;
      }),
  );
}
