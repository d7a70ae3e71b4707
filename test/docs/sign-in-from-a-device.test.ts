import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shell } from '../faces/cli/command.ts';
import { formOn, Visitor } from '../faces/pages/browse.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';
import { blocksIn, commandsOf, pageAt } from './page.ts';

const ORIGIN = 'https://tickets.example.org';
const DEVICE = '/auth/realms/alfresco/device';

test('the page about devices: curl begins, a person agrees in a browser, and curl has tokens and refreshes them', async (t) => {
  const service = await startTestService(t, { TESSERA_ISSUER: ORIGIN });
  await service.addUser('anna');
  const folder = await temporaryFolder(t);
  const page = pageAt('how-to/sign-in-from-a-device.md');
  const [registering = '', beginning = '', waiting = '', using = ''] = blocksIn(page, 'sh');
  const [issuer = ''] = beginning.split('\n');
  const run = (commands: string) =>
    shell(`set -e\n${issuer}\n${commandsOf(commands)}`.replaceAll(`=${ORIGIN}`, `=${service.url}`), {
      cwd: folder,
      env: { TESSERA_DATA: service.data },
    });
  const done = async (commands: string) => {
    const { code, stdout, stderr } = await run(commands);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  await done(registering);
  const told = await done(beginning);
  const [shown = ''] = blocksIn(page, 'text');
  assert.equal(told.replaceAll(/[A-Z]{4}-[A-Z]{4}/g, 'BDWP-HQPK'), shown);

  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const [, address = ''] = /Open (\S+) /.exec(told) ?? [];
  const filled = await (await visitor.get(address.slice(ORIGIN.length))).text();
  const asked = await (await visitor.post(DEVICE, formOn(filled, ORIGIN + DEVICE) ?? {})).text();
  const { abort: _, ...fields } = formOn(asked, DEVICE) ?? {};
  await visitor.post(DEVICE, { ...fields, confirm: 'yes' });

  await done(waiting);
  assert.match(await done(using), /"preferred_username":"anna"/);
  await visitor.send('/portal/account', '/portal/logout');
  await done(using);
  await done('bin/tessera users disable anna');
  assert.notEqual((await run(using)).code, 0);
});
