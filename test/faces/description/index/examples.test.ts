import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nameOf } from '../../../../src/faces/description/name.ts';
import { operations } from '../../../../src/main/operations.ts';
import { addNamed } from '../../../operations/named.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';

const run = promisify(execFile);
/** What curl exits with after a stream, which it reads for a second here. */
const OUT_OF_TIME = 28;
const A_PASSWORD = 'a long quiet river';

/** Runs the lines in a shell, for this service and with a live ticket. Returns the status of the answer. */
async function paste(lines: string, url: string, ticket: string): Promise<number> {
  const own = lines
    .replace('url=http://127.0.0.1:8080', `url=${url}`)
    .replace(/TICKET_0{40}/g, ticket)
    .replace('curl -sN', `curl -s --no-buffer --max-time 1`)
    .replace('curl -s', `curl -s -o /dev/null -w '%{http_code}'`);
  const { stdout } = await run('sh', ['-euc', own]).catch((fault) =>
    fault.code === OUT_OF_TIME ? fault : Promise.reject(fault),
  );
  return Number(stdout);
}

async function commandsOf({ url }: TestService, name: string): Promise<string[]> {
  const { text } = await ask(`${url}/alfresco/service/index/operation/${name}?format=json`);
  return JSON.parse(text).data.examples.map(({ command }: { command: string }) => command);
}

for (const operation of operations) {
  const { authentication } = operation;
  if (authentication === 'client') continue;

  test(`the examples of ${nameOf(operation)} can be pasted into a shell`, async (t) => {
    const service = await startTestService(t, { TESSERA_INDEX: 'public' });
    await service.addUser('alice', { password: A_PASSWORD, administrator: authentication === 'admin' });
    await service.store.write(addNamed);
    for (const command of await commandsOf(service, nameOf(operation))) {
      const ticket = await logIn(service.url, 'alice', A_PASSWORD);
      assert.equal(await paste(command, service.url, ticket), operation.answers ?? 200, command);
    }
  });
}
