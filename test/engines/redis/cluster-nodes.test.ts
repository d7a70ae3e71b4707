import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClusterNodes } from '../../../src/engines/redis/topology.ts';

const SEED = { name: 'redis1', port: 6_379 };
const NODES = `
aa 10.0.0.1:6379@16379,redis1.example.org,shard-id=x myself,master - 0 0 3 connected 0-8190 8191 [9000->-bb]
bb 10.0.0.2:6379@16379,redis2.example.org master,fail? - 0 0 2 connected 8192-16383
cc 10.0.0.3:6379@16379 slave aa 0 0 3 connected
dd 10.0.0.4:6379@16379 slave,fail aa 0 0 3 connected
ee 10.0.0.5:6379@16379 master - 0 0 0 connected
`;
const byIp = parseClusterNodes(NODES, SEED, false);

test('the server that reports the nodes of a cluster is known by its id, whatever name it is asked by', () => {
  assert.equal(byIp.by, 'aa');
  assert.equal(parseClusterNodes(NODES.replaceAll('10.0.0.1:', ':'), SEED, true).by, 'aa');
});

test('masters are those with slots, each with the replicas that could take its place', () => {
  assert.deepEqual(byIp.masters, [
    {
      id: 'aa',
      host: { name: '10.0.0.1', port: 6_379 },
      epoch: 3,
      slots: [
        [0, 8_190],
        [8_191, 8_191],
      ],
      failed: false,
      replicas: 1,
    },
    {
      id: 'bb',
      host: { name: '10.0.0.2', port: 6_379 },
      epoch: 2,
      slots: [[8_192, 16_383]],
      failed: true,
      replicas: 0,
    },
  ]);
});

test('a server is found by its IP address and by its host name, and reached as is asked', () => {
  const [ip, name] = ['10.0.0.2:6379', 'redis2.example.org:6379'];
  for (const [view, at] of [
    [byIp, '10.0.0.2'],
    [parseClusterNodes(NODES, SEED, true), 'redis2.example.org'],
  ] as const) {
    const hosts = new Map(view.hostByAddress);
    for (const named of [ip, name]) assert.deepEqual(hosts.get(named), { name: at, port: 6_379 });
  }
});

test('a server that does not know its own IP address is reached where it was asked', () => {
  const [master] = parseClusterNodes(
    'aa :6379@16379 myself,master - 0 0 1 connected 0-16383',
    SEED,
    false,
  ).masters;
  assert.deepEqual(master?.host, SEED);
});
