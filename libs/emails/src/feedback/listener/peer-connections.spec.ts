import { PeerConnections } from './peer-connections.js';

const LIMITS = { all: 6, ofPeer: 4, ofStranger: 2, known: 3 };

let peers: PeerConnections;
beforeEach(() => {
  peers = new PeerConnections(LIMITS);
});

/** Admits that many connections of a network, which are named `a0`, `a1`... */
const admit = (network: string, count: number) =>
  Array.from({ length: count }, (_, at) => peers.admit(`${network}${at}`, network));
const know = (...networks: string[]) => {
  for (const network of networks) peers.meet('', network);
};

describe('PeerConnections', () => {
  it('gives a network its connections, and a stranger fewer', () => {
    know('a');
    expect(admit('a', 5)).toEqual([...Array(4).fill({ isKnown: true }), { refused: 'network' }]);
    expect(admit('b', 3)).toEqual([...Array(2).fill({ isKnown: false }), { refused: 'network' }]);
  });

  it('gives a connection again when one ended', () => {
    admit('a', 2);
    peers.remove('a0');
    expect(peers.admit('a2', 'a')).toEqual({ isKnown: false });
  });

  it('ends the oldest of the network that has most when all are in use', () => {
    know('a', 'b');
    admit('b', 2);
    admit('a', 4);
    expect(peers.admit('c0', 'c')).toEqual({ isKnown: false, ended: 'a0' });
    expect(peers.admit('c1', 'c')).toEqual({ isKnown: false, ended: 'a1' });
  });

  it('ends none of a network that has only one more', () => {
    admit('a', 2);
    admit('b', 2);
    admit('c', 2);
    expect(peers.admit('d0', 'd')).toEqual({ isKnown: false, ended: 'a0' });
    expect(peers.admit('d1', 'd')).toEqual({ refused: 'all' });
  });

  it('ends the one that waits for its peer for the longest time, and none whose message is recorded', () => {
    know('a', 'b');
    admit('a', 4);
    admit('b', 2);
    peers.setBusy('a0', true);
    peers.meet('a1', 'a');
    expect(peers.admit('c0', 'c')).toMatchObject({ ended: 'a2' });
    peers.setBusy('a0', false);
    expect(peers.admit('c1', 'c')).toMatchObject({ ended: 'a3' });
  });

  it('refuses while the messages of all are recorded', () => {
    know('a', 'b');
    for (const { id } of [...'aaaabb'].map((network, at) => ({ id: `${at}`, admitted: peers.admit(`${at}`, network) })))
      peers.setBusy(id, true);
    expect(peers.admit('c0', 'c')).toEqual({ refused: 'all' });
  });

  it('tells once that a stranger became known, and forgets the first known', () => {
    admit('a', 2);
    expect([peers.meet('a0', 'a'), peers.meet('a0', 'a'), peers.meet('a1', 'a')]).toEqual([true, false, true]);
    know('b', 'c', 'd');
    expect(peers.admit('a2', 'a')).toEqual({ refused: 'network' });
    expect(peers.admit('d0', 'd')).toEqual({ isKnown: true });
  });

  it('ignores connections that it did not admit', () => {
    peers.setBusy('x', true);
    peers.remove('x');
    expect(admit('a', 1)).toEqual([{ isKnown: false }]);
  });
});
