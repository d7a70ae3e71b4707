import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRONTS, startFront } from '../capabilities/proxy-gate/proxies/front.ts';
import { run } from '../faces/cli/command.ts';
import { PASSWORD } from '../service/start.ts';
import { CLIENTS, whyNoClients } from './installed.ts';

/** Logs in, asks the repository who the caller is, logs out, and asks again. The client runs in a process of its own. */
const SESSION = `
const [library, hostEcm, name, password] = process.argv.slice(1);
const { AlfrescoApi, PeopleApi } = require(library);
const api = new AlfrescoApi({ hostEcm, provider: 'ECM', authType: 'BASIC' });
api.on('error', () => undefined);
const ask = () => new PeopleApi(api).getPerson('-me-').then(({ entry }) => entry.id, ({ status }) => status);
const session = async () => {
  await api.login(name, password);
  const asked = [await ask()];
  await api.logout();
  asked.push(await ask());
  console.log(JSON.stringify(asked));
};
session();
`;

const whyNot = whyNoClients();

for (const front of FRONTS)
  for (const library of ['js-api-10', 'js-api-7', 'js-api-3'])
    test(`${library} works with the repository behind ${front.name} until it logs out`, async (t) => {
      if (whyNot !== undefined || front.skip) return t.skip(whyNot ?? `${front.skip}`);
      const fronted = await startFront(t, front);
      await fronted.service.addUser('Zoë');
      const words = ['--unhandled-rejections=none', '-e', SESSION, library, fronted.url, 'Zoë', PASSWORD];
      const { stdout, stderr } = await run(process.execPath, words, { cwd: CLIENTS });
      assert.match(stdout, /\["Zoë",401\]\n$/, stderr);
      assert.deepEqual(
        fronted.asked.map(({ user }) => user),
        ['Zoë'],
      );
    });
