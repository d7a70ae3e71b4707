import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { passwordFrom, textOf } from '../../../src/core/settings/given.ts';
import type { Settings } from '../../../src/core/settings/table.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { temporaryFolder } from '../../service/start.ts';

const SECRET = 'correct horse: battery ';

async function fileOf(t: TestContext, text: string | Buffer): Promise<string> {
  const file = join(await temporaryFolder(t), 'secret');
  await writeFile(file, text);
  return file;
}

const passwordIn = ({ ticketsPassword }: Settings) => ticketsPassword && textOf(ticketsPassword);

test('a secret is read from the file that a variable or a flag names, without the last line break', async (t) => {
  for (const end of ['', '\n', '\r\n']) {
    const file = await fileOf(t, SECRET + end);
    const byVariable = readSettings({ flags: {}, env: { TESSERA_TICKETS_PASSWORD_FILE: file } });
    const byFlag = readSettings({ flags: { ticketsPassword: file }, env: {} });
    assert.equal(passwordIn(byVariable.settings), SECRET);
    assert.equal(passwordIn(byFlag.settings), SECRET);
  }
});

test('a secret of more than one line is refused wherever it came from, since no server and no login would take it', async (t) => {
  for (const text of ['hush hush\n\n', '# for the database\nhush hush\n', 'hush\0hush']) {
    const file = await fileOf(t, text);
    const fault = /TESSERA_TICKETS_PASSWORD_FILE: .*more than one line.*: leave the secret alone/;
    assert.throws(() => readSettings({ flags: {}, env: { TESSERA_TICKETS_PASSWORD_FILE: file } }), fault);
  }
  assert.throws(
    () => readSettings({ flags: {}, env: { TESSERA_NODES_PASSWORD: 'hush hush\n' } }),
    (error: Error) =>
      /TESSERA_NODES_PASSWORD: .*more than one line/.test(error.message) && !/hush/.test(error.message),
  );
});

test('the password of a database is read at the start, and again by whoever connects', async (t) => {
  const file = await fileOf(t, 'old');
  const sources = { flags: {}, env: { TESSERA_TICKETS_PASSWORD_FILE: file } };
  const { settings } = readSettings(sources);
  await writeFile(file, 'new');
  assert.equal(passwordFrom(settings.ticketsPassword)?.(), 'new');
  await rm(file);
  const fault = /TESSERA_TICKETS_PASSWORD_FILE: the file cannot be read \(ENOENT\): name one/;
  assert.throws(() => passwordFrom(settings.ticketsPassword)?.(), fault);
  assert.throws(() => readSettings(sources), fault);
});

test('a password that comes through a pipe, which gives it once only, is kept from the start', async (t) => {
  const pipe = join(await temporaryFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  spawn('sh', ['-c', 'printf once >"$1"', 'sh', pipe]);
  const { settings } = readSettings({ flags: { ticketsPassword: pipe }, env: {} });
  await rm(pipe);
  assert.equal(passwordFrom(settings.ticketsPassword)?.(), 'once');
  assert.equal(settings.ticketsPassword?.from, '--tickets-password-file');
});

test('a secret is masked wherever it came from', async (t) => {
  const file = await fileOf(t, SECRET);
  const settingsFile = await fileOf(t, JSON.stringify({ ticketsPassword: SECRET }));
  for (const [from, sources] of Object.entries({
    TESSERA_TICKETS_PASSWORD: { flags: {}, env: { TESSERA_TICKETS_PASSWORD: SECRET } },
    TESSERA_TICKETS_PASSWORD_FILE: { flags: {}, env: { TESSERA_TICKETS_PASSWORD_FILE: file } },
    '--tickets-password-file': { flags: { ticketsPassword: file }, env: {} },
    '"ticketsPassword" in the settings file': { flags: {}, env: {}, file: settingsFile },
  })) {
    const { settings, inEffect } = readSettings(sources);
    assert.equal(passwordIn(settings), SECRET);
    const shown = inEffect.find(({ key }) => key === 'ticketsPassword');
    assert.deepEqual(shown, { key: 'ticketsPassword', text: '***', from });
    assert.ok(!JSON.stringify(inEffect).includes(SECRET));
  }
});

test('a secret that is not given is shown as empty', () => {
  const { inEffect } = readSettings({ flags: {}, env: {} });
  assert.equal(inEffect.find(({ key }) => key === 'ticketsPassword')?.text, '');
});

test('a secret’s file that cannot be read is a fault that names the variable, and not what stood in its place', () => {
  for (const written of ['/nowhere/at/all', 'postgres://ana:geheim@db/tessera', 'geheim']) {
    assert.throws(() => readSettings({ flags: {}, env: { TESSERA_DATABASE_FILE: written } }), {
      name: 'SettingsFaulty',
      message:
        /:\n- TESSERA_DATABASE_FILE: the file cannot be read \(ENOENT\): name one that holds the secret and may be read$/,
    });
  }
});

test('the administrator’s password is not read with the settings: its file may be gone', () => {
  const file = '/nowhere/at/all';
  const { settings, inEffect } = readSettings({ flags: {}, env: { TESSERA_ADMIN_PASSWORD_FILE: file } });
  const from = 'TESSERA_ADMIN_PASSWORD_FILE';
  assert.deepEqual(settings.adminPassword, { file, from });
  assert.deepEqual(
    inEffect.find(({ key }) => key === 'adminPassword'),
    { key: 'adminPassword', text: '***', from },
  );
});

test('a secret that is not UTF-8 is refused, and one with a byte order mark is read without it', async (t) => {
  const env = async (content: string | Buffer) => ({
    TESSERA_TICKETS_PASSWORD_FILE: await fileOf(t, content),
  });
  const latin1 = await env(Buffer.from('p\xe4ssword-lang', 'latin1'));
  assert.throws(() => readSettings({ flags: {}, env: latin1 }), {
    message:
      /TESSERA_TICKETS_PASSWORD_FILE: the file cannot be read: it is not UTF-8: convert it, such as[^ä]*$/,
  });
  // What Node makes of these bytes in a variable.
  assert.throws(() => readSettings({ flags: {}, env: { TESSERA_TICKETS_PASSWORD: 'p\ufffdssword-lang' } }), {
    message: /TESSERA_TICKETS_PASSWORD: it is not UTF-8: convert it$/,
  });
  const marked = readSettings({ flags: {}, env: await env('\ufeffpässword-lang\n') });
  assert.equal(passwordIn(marked.settings), 'pässword-lang');
});

test('only secrets are read from files', () => {
  assert.throws(() => readSettings({ flags: {}, env: { TESSERA_PORT_FILE: '/etc/hostname' } }), {
    name: 'SettingsFaulty',
    message: /TESSERA_PORT_FILE: there is no such setting/,
  });
});
