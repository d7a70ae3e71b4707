import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tesseraOn } from '../../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { examine } from '../../tools/doctor/examined.ts';
import { serve } from './serve.ts';

const refusalOf = (data: string) =>
  `cannot use the data folder ${data}: another Tessera service uses it: stop that one, or give this one a folder of its own (TESSERA_DATA)\n`;

/** Services that start at the same time on one new data folder, once one serves and the others have ended. */
async function startedTogether(t: TestContext, data: string, env: Record<string, string>) {
  const services = ['one', 'two', 'three'].map(() => serve(t, { env: { TESSERA_DATA: data, ...env } }));
  const outcomes = await Promise.allSettled(services.map(({ url }) => url));
  const refused = services.filter((_, index) => outcomes[index]?.status === 'rejected');
  const [serving, ...more] = services.filter((each) => !refused.includes(each));
  assert.ok(serving !== undefined && more.length === 0, services.map(({ told }) => told()).join());
  return { serving, refused };
}

for (const workers of ['1', '2']) {
  test(`of services that start at the same time on one data folder one serves, with TESSERA_WORKERS=${workers}`, async (t) => {
    const data = join(await temporaryFolder(t), 'new');
    const { serving, refused } = await startedTogether(t, data, { TESSERA_WORKERS: workers });
    for (const { ended, told } of refused) assert.deepEqual([await ended, told()], [1, refusalOf(data)]);
    assert.equal(JSON.parse(await tesseraOn(data)('users list --json')).length, 1);
    serving.kill('SIGTERM');
    assert.equal(await serving.ended, 0);
  });
}

/** The lines of the doctor that tell of a service on this data folder. */
const seenByDoctor = async (data: string) =>
  (await examine({ TESSERA_DATA: data })).of('data folder', 'ok').filter((line) => line.includes('service'));

const ENDS: readonly (readonly [NodeJS.Signals, workers: string])[] = [
  ['SIGTERM', '1'],
  ['SIGKILL', '1'],
  ['SIGTERM', '2'],
  ['SIGKILL', '2'],
];

for (const [signal, workers] of ENDS) {
  test(`a service of ${workers} that ends with ${signal} leaves its data folder to the next one`, async (t) => {
    const data = await temporaryFolder(t);
    const env = { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD: PASSWORD, TESSERA_WORKERS: workers };
    const first = serve(t, { env });
    await first.url;
    assert.deepEqual(await seenByDoctor(data), ['a service uses it, so another one is refused there']);
    const before = await readdir(data);
    const second = serve(t, { env });
    assert.deepEqual([await second.ended, second.told()], [1, refusalOf(data)]);
    assert.deepEqual(await readdir(data), before);
    first.kill(signal);
    await first.ended;
    assert.deepEqual(await seenByDoctor(data), []);
    await logIn(await serve(t, { env }).url);
  });
}
