import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadUnit } from '../../../src/core/storage/store.ts';
import { startTestService } from '../../service/start.ts';
import { basic } from '../../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

/** A store that notes which clients it is asked for. */
class AskedForClients extends ChangedStore {
  readonly asked: string[] = [];

  override read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    return super.read((unit) => {
      const find = (name: string) => {
        this.asked.push(name);
        return unit.clients.find(name);
      };
      return work({ ...unit, clients: { ...unit.clients, find } });
    });
  }
}

test('the store is only asked for names that a client can have', async (t) => {
  const store = new AskedForClients();
  const service = await startTestService(t, {}, () => store);
  const secret = await service.addClient('gateway');
  const statusOf = async (name: string) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', headers: { ...type, ...basic(`${name}:${secret}`) }, body: 'token=x' };
    return (await fetch(`${service.url}/oauth2/introspect`, sent)).status;
  };
  assert.equal(await statusOf('gateway'), 200);
  assert.equal(await statusOf('unknown'), 401);
  for (const name of ['', 'a b', "' OR 1=1 --", 'x'.repeat(300), '\u0000'])
    assert.equal(await statusOf(name), 401);
  assert.deepEqual(store.asked, ['gateway', 'unknown']);
});
