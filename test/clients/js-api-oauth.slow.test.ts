import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addAppPassword } from '../service/app-passwords.ts';
import { PATIENCE } from '../service/patience.ts';
import { whyNoClients } from './installed.ts';
import { startWithApplication } from './single-sign-on/application.ts';

const run = promisify(execFile);
const SESSION = fileURLToPath(new URL('oauth-session.ts', import.meta.url));
const why = whyNoClients();

for (const library of ['js-api-10', 'js-api-7', 'js-api-3'])
  test(`${library} gets a token here for an app password, exchanges it for a ticket, and goes on with either`, async (t) => {
    if (why !== undefined) return t.skip(why);
    const { service, issuer } = await startWithApplication(t, 'program', {
      public: true,
      redirectUris: [],
      flows: ['password', 'refresh'],
      actsForUser: true,
    });
    const password = await addAppPassword(service.store, 'anna');
    const words = ['--unhandled-rejections=none', SESSION, library, service.url, issuer, password];
    const { stdout } = await run(process.execPath, words, { timeout: PATIENCE });
    const { ticket, ...others } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"ticket"')));
    assert.match(ticket, /^TICKET_[0-9a-f]{40}$/);
    assert.deepEqual(others, { byToken: 'anna', webScript: 'object', byTicket: 'anna' });
  });
