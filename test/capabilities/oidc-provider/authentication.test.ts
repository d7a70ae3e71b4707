import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { makeTicket, TICKET_BYTES } from '../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import { formOn, type Visitor, valueOn } from '../../faces/pages/browse.ts';
import { startTestService } from '../../service/start.ts';
import { withApp } from '../factors/pages/second-factor-browse.ts';
import {
  addApplication,
  goThrough,
  leadsTo,
  PROVIDER,
  pathOf,
  RelyingParty,
  type WrittenSettings,
} from './relying-party.ts';

const MFA = 'https://refeds.org/profile/mfa';
const SFA = 'https://refeds.org/profile/sfa';

async function started(t: TestContext, settings: WrittenSettings = {}) {
  const service = await startTestService(t, PROVIDER);
  const secret = await addApplication(service, 'app', { trusted: true, ...settings });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  return { service, party };
}

/** The error with which a sign-in comes back; undefined if it succeeds. */
const errorIn = (callback: string) => new URL(callback).searchParams.get('error') ?? undefined;

test('tokens say when and by which methods the user signed in, and a refresh says the same', async (t) => {
  const { service, party } = await started(t);
  await service.addUser('bob');
  const { acr_values_supported: classes } = party.configuration.serverMetadata();
  assert.deepEqual(classes, [MFA, SFA]);
  const tokens = await party.signIn(party.visitor(), {}, 'bob');
  const { acr, amr, auth_time } = tokens.claims() ?? assert.fail();
  assert.deepEqual([acr, amr], [SFA, ['pwd']]);
  assert.ok(Math.abs(Number(auth_time) - Date.now() / 1_000) < 600);
  const refreshed = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
  const told = { acr, amr, auth_time };
  for (const token of [tokens.access_token, refreshed.access_token, refreshed.id_token ?? '']) {
    const { acr, amr, auth_time } = decodeJwt(token);
    assert.deepEqual({ acr, amr, auth_time }, told);
  }
  const introspected = await oidc.tokenIntrospection(party.configuration, refreshed.access_token);
  assert.deepEqual([introspected.acr, introspected.auth_time], [acr, auth_time]);
});

test('who signed in by password alone is asked for the second factor if an application needs it', async (t) => {
  const { service, party } = await started(t);
  const anna = await withApp(service);
  const before = await party.signIn(anna.visitor);
  assert.equal(before.claims()?.acr, SFA);
  const silent = await party.begin({ acr_values: MFA, prompt: 'none' });
  assert.equal(errorIn(leadsTo(await anna.visitor.get(silent.path)) ?? ''), 'login_required');
  anna.pass(60_000);
  const begun = await party.begin({ acr_values: MFA });
  const first = leadsTo(await anna.visitor.get(begun.path));
  assert.match(first ?? '', /\/portal\/login\?.*again=yes/);
  const callback = await goThrough(anna.visitor, begun.path, 'anna', 'yes', anna.code);
  const { acr, amr } = (await party.tokensFor(callback, begun)).claims() ?? assert.fail();
  assert.deepEqual([acr, amr], [MFA, ['pwd', 'otp', 'mfa']]);
  const essential = JSON.stringify({ id_token: { acr: { essential: true, value: MFA } } });
  for (const [parameters, expected] of [
    [{ claims: essential }, MFA],
    [{ acr_values: `${SFA} ${MFA}` }, SFA],
  ] as const) {
    const again = await party.begin(parameters as Record<string, string>);
    const led = leadsTo(await anna.visitor.get(again.path)) ?? '';
    assert.equal((await party.tokensFor(led, again)).claims()?.acr, expected);
  }
});

test('who has no second factor is sent back with the reason, and so is a demand that nobody can meet', async (t) => {
  const vault = 'https://vault.example.org';
  const { service, party } = await started(t, { resources: { [vault]: 'strict' } });
  await service.addUser('bob');
  await addApplication(service, 'strict', { trusted: true, public: true, secondFactor: true });
  const strict = await RelyingParty.discover(service, 'strict', oidc.None());
  const visitor = party.visitor();
  const essential = (values: string[]) => JSON.stringify({ id_token: { acr: { essential: true, values } } });
  for (const [begun, expected] of [
    [await party.begin({ acr_values: MFA }), 'unmet_authentication_requirements'],
    [await party.begin({ acr_values: MFA, prompt: 'none' }), 'unmet_authentication_requirements'],
    [await party.begin({ acr_values: 'gold' }), 'unmet_authentication_requirements'],
    [await party.begin({ claims: essential([MFA]) }), 'unmet_authentication_requirements'],
    [await strict.begin({ acr_values: SFA }), 'unmet_authentication_requirements'],
    [await party.begin({ resource: vault }), 'unmet_authentication_requirements'],
    [await party.begin({ acr_values: `${MFA} ${SFA}` }), undefined],
    [await party.begin({ claims: JSON.stringify({ id_token: { acr: { values: [MFA] } } }) }), undefined],
  ] as const)
    assert.equal(errorIn(await goThrough(visitor, begun.path, 'bob')), expected);
});

test('a device that needs a second factor is not signed in without it, and its user reads why', async (t) => {
  const { service, party } = await started(t, {
    flows: ['device_code'],
    redirectUris: [],
    secondFactor: true,
  });
  const anna = await withApp(service);
  await service.addUser('bob');
  const bob = party.visitor();
  await bob.signIn('bob');
  const path = '/auth/realms/alfresco/device';
  const confirm = async (visitor: Visitor) => {
    const begun = await oidc.initiateDeviceAuthorization(party.configuration, { scope: 'openid' });
    const entered = formOn(await (await visitor.get(path)).text(), path);
    const asked = await visitor.post(path, { ...entered, user_code: begun.user_code });
    const { abort: _, ...fields } = formOn(await asked.text(), path) ?? {};
    return visitor.post(path, { ...fields, confirm: 'yes' });
  };
  assert.match(await (await confirm(bob)).text(), /needs a second factor, and you have none/);
  assert.match(leadsTo(await confirm(anna.visitor)) ?? '', /\/portal\/login\?.*again=yes/);
});

test('who has a ticket that says nothing of methods signs in again if an application asks for a class', async (t) => {
  const { service, party } = await started(t);
  await service.addUser('bob');
  const visitor = party.visitor();
  const ticket = makeTicket(randomBytes(TICKET_BYTES));
  await service.store.write(async ({ users, tickets }) => {
    const { id, generation } = (await users.findByKey('bob')) ?? assert.fail();
    const times = { issuedAt: Date.now(), usedAt: Date.now() };
    const generations = { userGeneration: generation, serverGeneration: await tickets.serverGeneration() };
    const issued = { digest: digestOf(ticket), userId: id, ...generations, ...times };
    await tickets.issue(issued);
    await tickets.setOrigin(issued, { from: '127.0.0.1', program: undefined, appPassword: undefined });
  });
  visitor.cookies.set('tessera', ticket);
  const begun = await party.begin({ acr_values: SFA });
  assert.match(leadsTo(await visitor.get(begun.path)) ?? '', /again=yes/);
  const callback = await goThrough(visitor, begun.path, 'bob');
  assert.equal((await party.tokensFor(callback, begun)).claims()?.acr, SFA);
});

test('an application names the user, the languages, and how old the sign-in may be', async (t) => {
  const { service, party } = await started(t, { trusted: false, title: 'Grafana' });
  await service.addUser('anna');
  service.shiftClock(-1_800_000);
  const visitor = party.visitor();
  const hinted = await party.begin({ login_hint: 'a"na', ui_locales: 'it de', max_age: '3600' });
  const page = await (await visitor.get(pathOf(leadsTo(await visitor.get(hinted.path)) ?? ''))).text();
  assert.equal(valueOn(page, 'username'), 'a"na');
  assert.match(page, /<html lang="de"/);
  await visitor.signIn('anna');
  const consent = pathOf(leadsTo(await visitor.get(hinted.path)) ?? '');
  assert.match(await (await visitor.get(consent)).text(), /<html lang="de"/);
  assert.match(await goThrough(visitor, hinted.path), /code=/);
  service.shiftClock(1_800_000);
  // The user signed in half an hour ago.
  assert.match(leadsTo(await visitor.get((await party.begin({ max_age: '3600' })).path)) ?? '', /code=/);
  const silent = await party.begin({ max_age: '600', prompt: 'none' });
  assert.equal(errorIn(leadsTo(await visitor.get(silent.path)) ?? ''), 'login_required');
  const old = await party.begin({ max_age: '600' });
  assert.match(leadsTo(await visitor.get(old.path)) ?? '', /\/portal\/login\?.*again=anew/);
  assert.match(await goThrough(visitor, old.path), /code=/);
});

test('claims have the names that the application has for them, in all tokens and at the userinfo endpoint', async (t) => {
  const claims = { userName: 'upn', groups: 'roles', organization: 'company', firstName: 'first' };
  const { service, party } = await started(t, { claims });
  await service.addUser('anna');
  await service.store.write(async ({ users, profiles }) => {
    const { id } = (await users.findByKey('anna')) ?? assert.fail();
    await profiles.put(id, { firstName: 'Anna', organization: 'Acme' });
  });
  const tokens = await party.signIn(party.visitor());
  const { sub } = tokens.claims() ?? assert.fail();
  const userinfo = await oidc.fetchUserInfo(party.configuration, tokens.access_token, sub);
  for (const told of [tokens.claims(), decodeJwt(tokens.access_token), userinfo])
    assert.deepEqual(
      [told?.upn, told?.preferred_username, told?.roles, told?.company, told?.first, told?.given_name],
      ['anna', 'anna', [], 'Acme', 'Anna', 'Anna'],
    );
  const fewer = await party.signIn(party.visitor(), { scope: 'openid' });
  assert.deepEqual(
    [fewer.claims()?.upn, fewer.claims()?.roles, fewer.claims()?.company],
    ['anna', undefined, undefined],
  );
});

test('pages of the protocol have the name of the operator, and speak the language that the reader chose', async (t) => {
  const service = await startTestService(t, { ...PROVIDER, TESSERA_BRAND_NAME: 'Example & Sons' });
  const secret = await addApplication(service, 'app', { trusted: false });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  await service.addUser('anna');
  const visitor = party.visitor();
  await visitor.post('/portal/look', { language: 'fr' });
  const begun = await party.begin({ ui_locales: 'de' });
  await visitor.signIn('anna');
  const consent = await (await visitor.get(pathOf(leadsTo(await visitor.get(begun.path)) ?? ''))).text();
  const fault = await (await visitor.get(begun.path.replace('client_id=app', 'client_id=none'))).text();
  for (const page of [consent, fault]) {
    assert.match(page, /<html lang="fr"/);
    assert.match(page, /<title>[^<]+ · Example &amp; Sons<\/title>/);
  }
});
