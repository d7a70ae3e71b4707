import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { run } from '../../faces/cli/command.ts';
import { startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { asked } from '../admin/http/asked.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import {
  addApplication,
  leadsTo,
  PROVIDER,
  REDIRECT,
  RelyingParty,
  type WrittenSettings,
} from './relying-party.ts';

async function started(t: TestContext) {
  const service = await startTestService(t, PROVIDER);
  for (const name of ['anna', 'ben']) await service.addUser(name);
  return service;
}

async function partyOf(service: TestService, name: string, settings: WrittenSettings = {}) {
  const secret = await addApplication(service, name, { trusted: true, pairwise: true, ...settings });
  return RelyingParty.discover(service, name, oidc.ClientSecretBasic(secret));
}

/** The subjects that an application knows a user by, of everything that tells one. */
async function subjectsOf(party: RelyingParty, user = 'anna', more: Record<string, string> = {}) {
  const { configuration } = party;
  const tokens = await party.signIn(party.visitor(), more, user);
  const { sub } = decodeJwt(tokens.id_token ?? '');
  assert.ok(sub);
  const { access_token: token } = tokens;
  const info = await oidc.fetchUserInfo(configuration, token, sub);
  const state = await oidc.tokenIntrospection(configuration, token);
  const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
  const inToken = /^[^.]+$/.test(token) ? [] : [decodeJwt(token).sub];
  const later = decodeJwt(refreshed.id_token ?? '').sub;
  return { sub, id: tokens.id_token ?? '', all: new Set([sub, info.sub, state.sub, later, ...inToken]) };
}

test('an application with pairwise subjects knows each user by one of its own, wherever it is told', async (t) => {
  const service = await started(t);
  const open = await partyOf(service, 'open', { pairwise: false });
  const { subject_types_supported: types } = open.configuration.serverMetadata();
  assert.deepEqual(types, ['public', 'pairwise']);
  const known = await subjectsOf(open);
  const [app, opaque, other] = [
    await partyOf(service, 'app'),
    await partyOf(service, 'opaque', { accessTokens: 'opaque' }),
    await partyOf(service, 'other', { redirectUris: [REDIRECT.replace('.net', '.net:8443')] }),
  ];
  const [one, two] = [await subjectsOf(app), await subjectsOf(opaque)];
  for (const { all } of [known, one, two]) assert.equal(all.size, 1);
  assert.equal(one.sub, two.sub, 'they have one host');
  assert.notEqual(one.sub, known.sub);
  assert.notEqual(one.sub, (await subjectsOf(app, 'ben')).sub);
  const redirect_uri = REDIRECT.replace('.net', '.net:8443');
  const elsewhere = await other.signIn(other.visitor(), { redirect_uri });
  assert.notEqual(decodeJwt(elsewhere.id_token ?? '').sub, one.sub);
  const dot = known.sub.split('.')[0] as string;
  assert.ok(!one.sub.includes(dot) && !/^[\d.]+$/.test(one.sub));

  const info = await app.signIn(app.visitor(), { scope: 'openid' });
  assert.equal(decodeJwt(info.access_token).preferred_username, undefined, 'a name would tell who it is');
  const { name, preferred_username: login } = decodeJwt((await app.signIn(app.visitor())).access_token);
  assert.deepEqual([name, login], ['anna', 'anna'], 'the profile has it');
});

test('a hint names a user by the pairwise subject, and no other subject is taken for it', async (t) => {
  const service = await started(t);
  const party = await partyOf(service, 'app', { postLogoutRedirectUris: ['https://app.example.net/out'] });
  const { id } = await subjectsOf(party);
  const [anna, ben] = [party.visitor(), party.visitor()];
  await party.signIn(anna);
  await party.signIn(ben, {}, 'ben');
  const hint = { id_token_hint: id, prompt: 'none' };
  const answers = [anna, ben].map(async (visitor) =>
    leadsTo(await visitor.get((await party.begin(hint)).path)),
  );
  const [own, others] = await Promise.all(answers);
  assert.match(own ?? '', /[?&]code=/);
  assert.match(others ?? '', /error=login_required/);
});

test('a logout token names the user by the pairwise subject', async (t) => {
  const service = await started(t);
  const receiver = await startReceiver(t);
  const party = await partyOf(service, 'app', { backchannelLogoutUri: receiver.url });
  const visitor = party.visitor();
  const { id_token } = await party.signIn(visitor);
  await visitor.send('/portal/account', '/portal/logout');
  await until('the token comes', () => receiver.received.length === 1);
  const token = new URLSearchParams(receiver.received[0]?.body).get('logout_token') ?? '';
  assert.equal(decodeJwt(token).sub, decodeJwt(id_token ?? '').sub);
});

test('the consent page says that the application gets no name, unless it asks for the profile', async (t) => {
  const service = await started(t);
  const party = await partyOf(service, 'app', { trusted: false });
  const visitor = party.visitor();
  await visitor.signIn('anna');
  const pageFor = async (scope: string) => {
    const leads = leadsTo(await visitor.get((await party.begin({ scope })).path)) ?? '';
    return (await visitor.get(leads.replace(/^https:..[^/]+/, ''))).text();
  };
  assert.match(await pageFor('openid groups'), /that it is you again/);
  assert.match(await pageFor('openid profile'), /who you are, each time/);
});

test('commands and the file of the state have the option, and refuse it for several hosts', async (t) => {
  const service = await started(t);
  const env = { TESSERA_DATA: service.data };
  const file = join(await temporaryFolder(t), 'settings.json');
  const command = (...words: readonly string[]) => run('tessera', words, { env });
  const settings = { redirectUris: ['https://a.example/'], pairwise: true };
  await writeFile(file, JSON.stringify(settings));
  const added = await command('applications', 'add', 'notes', '--settings', file);
  assert.match(added.stdout, /^Added the application "notes"/, added.stderr);
  const shown = await command('applications', 'show', 'notes', '--json');
  assert.deepEqual(JSON.parse(shown.stdout), settings);
  const { applications } = JSON.parse((await command('state')).stdout);
  assert.deepEqual(applications[0].settings, settings);
  const hosts = ['https://a.example/', 'https://b.example/'];
  const change = await command('applications', 'change', 'notes', '--redirect-uri', ...hosts);
  assert.match(change.stderr, /pairwise hangs on the host of redirectUris/);
});

test('pairwise subjects stay the same when keys are rotated or dropped', async (t) => {
  const service = await started(t);
  const party = await partyOf(service, 'app');
  const { sub } = await subjectsOf(party);
  const listed = await asked(service, '/signing-keys');
  assert.deepEqual(
    listed.body.items.map(({ alg }: { alg: string }) => alg).sort(),
    ['EdDSA', 'RS256'],
    'the secret of the subjects signs nothing',
  );
  const drop = { method: 'POST', body: '{"drop":true}' };
  assert.deepEqual((await asked(service, '/signing-keys', drop)).body.items, []);
  const env = { TESSERA_DATA: service.data };
  const anew = await run('tessera', ['secret-keys', 'rotate', '--drop-old'], { env });
  assert.match(anew.stdout, /^Encrypted 1 secret anew/);
  assert.equal((await subjectsOf(party)).sub, sub);
});
