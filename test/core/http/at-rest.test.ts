import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { ask, basic, logIn } from '../../service/talk.ts';

const NEW_PASSWORD = 'a-quiet-river-at-noon';
const WRONG = 'a-wrong-password-typed-here';
const MISPLACED = 'a-password-in-the-field-of-the-name';

/** Does with a service what gives it secrets: logins of every kind, right and wrong, a changed password, a log-out. */
async function giveSecrets({ url, addUser, addApiKey, addClient }: TestService): Promise<string[]> {
  await addUser('mia');
  const [live, ended] = [await logIn(url, 'mia'), await logIn(url, 'mia')];
  const headers = basic(`mia:${PASSWORD}`);
  await ask(`${url}/api/people/mia/preferences`, { headers });
  const changed = await ask(`${url}/api/person/changepassword/mia`, {
    ...{ method: 'POST', headers: basic(live) },
    body: JSON.stringify({ oldpw: PASSWORD, newpw: NEW_PASSWORD }),
  });
  assert.equal(changed.status, 200, changed.text);
  for (const [name, password] of [
    ['mia', WRONG],
    [MISPLACED, WRONG],
  ] as const)
    assert.equal((await ask(`${url}/api/login?u=${name}&pw=${password}`)).status, 403);
  const later = await logIn(url, 'mia', NEW_PASSWORD);
  const end = `${url}/api/login/ticket/${ended}?alf_ticket=${later}`;
  await ask(end, { method: 'DELETE' });
  const [apiKey, secret] = [await addApiKey('auditor'), await addClient('gateway')];
  return [PASSWORD, NEW_PASSWORD, WRONG, MISPLACED, live, ended, later, apiKey, secret];
}

/** The forms in which a secret could be written: as it is, in base64, and a ticket without its prefix or as bytes. */
function formsOf(secret: string): Buffer[] {
  const bare = secret.replace(/^\w+_(?=[0-9a-f]{40}$)/, '');
  const bytes = bare === secret ? [] : [Buffer.from(bare), Buffer.from(bare, 'hex')];
  return [Buffer.from(secret), Buffer.from(Buffer.from(secret).toString('base64')), ...bytes];
}

test('no file of the data folder holds a ticket, a password, an API key or a secret of a client', async (t) => {
  const service = await startTestService(t);
  const secrets = await giveSecrets(service);
  const files = readdirSync(service.data, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  assert.ok(files.length > 1);
  for (const { name, parentPath } of files) {
    const content = readFileSync(join(parentPath, name));
    for (const secret of secrets)
      for (const form of formsOf(secret)) assert.ok(!content.includes(form), `${name} holds ${secret}`);
  }
});
