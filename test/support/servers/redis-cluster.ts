import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { eventually } from '../basics/wait-for.js';
import { type RedisServer, startRedisServer } from './redis-server.mjs';

const SLOTS = 16_384;

/** A separate Redis Cluster: nodes without replicas that share all slots, each keeping its data on disk. */
export interface RedisCluster {
  nodes: readonly RedisServer[];
  /** URLs of two nodes, comma-separated: the third has to be discovered. */
  urls: string;
}

/** Starts a cluster of three nodes on 127.0.0.1, which is stopped after the test file. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = makeTempFolder('emails-test-cluster-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const nodes = await Promise.all([0, 1, 2].map((index) => startNode(join(folder, String(index)))));
  await assemble(nodes);
  return {
    nodes: nodes.map(({ server }) => server),
    urls: nodes
      .slice(0, 2)
      .map(({ server }) => server.url)
      .join(','),
  };
}

interface Node {
  server: RedisServer;
  busPort: number;
}

async function startNode(folder: string): Promise<Node> {
  // By default the bus is 10,000 above the port, which may exceed the last port.
  const busPort = await freePort();
  const args = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--cluster-require-full-coverage', 'no'];
  const server = await startRedisServer({ folder, persistent: true, args });
  afterFile(() => server.stop('SIGKILL'));
  return { server, busPort };
}

async function assemble(nodes: readonly Node[]): Promise<void> {
  const clients = nodes.map(({ server }) => new Redis(server.url));
  try {
    const share = Math.ceil(SLOTS / nodes.length);
    for (const [index, client] of clients.entries()) {
      const last = Math.min((index + 1) * share, SLOTS) - 1;
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
    for (const { server, busPort } of nodes.slice(1)) {
      await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(busPort));
    }
    await eventually(async () => {
      for (const client of clients) {
        const info = await client.cluster('INFO');
        expect(info).toContain(`cluster_slots_ok:${SLOTS}`);
        expect(info).toContain(`cluster_size:${nodes.length}`);
      }
    });
  } finally {
    for (const client of clients) client.disconnect();
  }
}
