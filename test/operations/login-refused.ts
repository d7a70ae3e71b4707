import { newLink } from '../../src/capabilities/mail/links.ts';
import { PASSWORD, type TestService } from '../service/start.ts';
import { basic, logIn } from '../service/talk.ts';
import {
  aboutDirectoryUser,
  type Example,
  post,
  type Refused,
  withFactor,
} from './administration-refused.ts';
import { ALICE } from './example-input.ts';

const V1_TICKETS = '/authentication/versions/1/tickets';
const V1_ME = `${V1_TICKETS}/-me-`;
const UNKNOWN_TICKET = `TICKET_${'0'.repeat(40)}`;
const LONG = 'x'.repeat(1_025);
const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
const AS_ADMIN = basic(`admin:${PASSWORD}`);

/** A call by the first administrator. */
export async function signedIn({ url }: TestService, path: string): Promise<Example> {
  return { path, query: { alf_ticket: await logIn(url) } };
}

const CHANGE = '/api/person/changepassword';

/** A change of the first administrator's password, or of another user's. */
async function passwordChange({ url }: TestService, body: object, name = 'admin'): Promise<Example> {
  return { path: `${CHANGE}/${name}`, query: { alf_ticket: await logIn(url) }, init: post(body) };
}

const PEOPLE = '/alfresco/versions/1/people';

/** A new password of the first administrator by a link that works. */
async function byLink({ store }: TestService, password: string, name = 'admin'): Promise<Example> {
  const link = await store.write(async (unit) => {
    const user = await unit.users.findByKey(name);
    if (user === undefined) throw new Error(`there is no user ${name}`);
    return newLink(unit, user, 'password-reset', Date.now() + 3_600_000);
  });
  const { id, key } = Object.fromEntries(new URL(link, 'http://x').searchParams);
  return { path: `${PEOPLE}/${name}/reset-password`, init: post({ id, key, password }) };
}

/** A new password of a user of the directory by a link that works. */
async function byLinkAtDirectory(service: TestService): Promise<Example> {
  await aboutDirectoryUser(service, '', {});
  await service.store.write(async ({ users, externalIdentities }) => {
    const { id: userId = 0 } = (await users.findByKey('lara')) ?? {};
    const identity = { userId, provider: 'ldap', subject: 'lara', groups: [], checkedAt: 0 };
    await externalIdentities.put({ ...identity, disabledThere: false });
  });
  return byLink(service, ALICE.password, 'lara');
}

/** For each operation that takes or shows a password or the presented ticket, a call for each refusal that it declares. */
export const REFUSED_OF_LOGINS: Readonly<Record<string, Refused>> = {
  'login.get': {
    username_missing: async () => ({ path: '/api/login', query: { pw: PASSWORD } }),
    password_missing: async () => ({ path: '/api/login', query: { u: 'admin' } }),
    password_too_long: async () => ({ path: '/api/login', query: { u: 'admin', pw: LONG } }),
    login_failed: async () => ({ path: '/api/login', query: { u: 'admin', pw: 'wrong' } }),
    login_by_get_off: async () => ({ path: '/api/login', query: { u: 'admin', pw: PASSWORD } }),
    cross_site_login: async () => ({
      path: '/api/login',
      query: { u: 'admin', pw: PASSWORD },
      init: crossSite,
    }),
    passwords_unavailable: async () => ({ path: '/api/login', query: { u: 'nobody', pw: 'wrong' } }),
    hash_queue_full: async () => ({ path: '/api/login', query: { u: 'admin', pw: 'wrong' } }),
  },
  'login.post': {
    username_missing: async () => ({ path: '/api/login', init: post({ password: PASSWORD }) }),
    password_missing: async () => ({ path: '/api/login', init: post({ username: 'admin' }) }),
    password_too_long: async () => ({
      path: '/api/login',
      init: post({ username: 'admin', password: LONG }),
    }),
    body_unreadable: async () => ({ path: '/api/login', init: { method: 'POST', body: '{' } }),
    login_failed: async () => ({ path: '/api/login', init: post({ username: 'admin', password: 'wrong' }) }),
    cross_site_login: async () => ({
      path: '/api/login',
      init: { ...post({ username: 'admin', password: PASSWORD }), ...crossSite },
    }),
    passwords_unavailable: async () => ({
      path: '/api/login',
      init: post({ username: 'nobody', password: 'wrong' }),
    }),
    hash_queue_full: async () => ({
      path: '/api/login',
      init: post({ username: 'admin', password: 'wrong' }),
    }),
  },
  'v1/requestpasswordreset.post': {
    body_unreadable: async () => ({
      path: `${PEOPLE}/admin/request-password-reset`,
      init: { method: 'POST', body: '{' },
    }),
    body_invalid: async () => ({ path: `${PEOPLE}/admin/request-password-reset`, init: post({}) }),
    cross_site_change: async () => ({
      path: `${PEOPLE}/admin/request-password-reset`,
      init: { ...post({ client: 'share' }), ...crossSite },
    }),
  },
  'v1/resetpassword.post': {
    body_unreadable: async () => ({
      path: `${PEOPLE}/admin/reset-password`,
      init: { method: 'POST', body: '{' },
    }),
    body_invalid: async () => ({ path: `${PEOPLE}/admin/reset-password`, init: post({}) }),
    cross_site_change: async () => ({
      path: `${PEOPLE}/admin/reset-password`,
      init: { ...post({ id: 'x', key: 'x', password: 'x' }), ...crossSite },
    }),
    new_password_refused: (service) => byLink(service, 'short'),
    passwords_unavailable: byLinkAtDirectory,
    hash_queue_full: (service) => byLink(service, 'four quiet rivers meeting'),
  },
  'people/changepassword.post': {
    old_password_missing: (service) => passwordChange(service, { newpw: ALICE.password }),
    new_password_missing: (service) => passwordChange(service, { oldpw: PASSWORD }),
    body_unreadable: (service) => passwordChange(service, { oldpw: 7, newpw: ALICE.password }),
    old_password_wrong: (service) => passwordChange(service, { oldpw: 'wrong', newpw: ALICE.password }),
    new_password_refused: (service) => passwordChange(service, { oldpw: PASSWORD, newpw: 'x' }),
    user_not_found: (service) => passwordChange(service, { newpw: ALICE.password }, 'nobody'),
    proof_needed: (service) =>
      withFactor(service, passwordChange(service, { oldpw: PASSWORD, newpw: ALICE.password })),
    password_elsewhere: (service) =>
      aboutDirectoryUser(service, `${CHANGE}/lara`, post({ newpw: ALICE.password })),
    passwords_unavailable: async () => ({
      path: `${CHANGE}/nobody`,
      init: { ...post({}), headers: basic('nobody:wrong') },
    }),
    hash_queue_full: (service) => passwordChange(service, { oldpw: 'wrong', newpw: ALICE.password }),
    cross_site_change: async () => ({
      path: `${CHANGE}/admin`,
      init: { ...post({}), ...crossSite },
    }),
  },
  'v1/tickets.post': {
    username_missing: async () => ({ path: V1_TICKETS, init: post({ password: PASSWORD }) }),
    password_missing: async () => ({ path: V1_TICKETS, init: post({ userId: 'admin' }) }),
    password_too_long: async () => ({ path: V1_TICKETS, init: post({ userId: 'admin', password: LONG }) }),
    body_unreadable: async () => ({ path: V1_TICKETS, init: post({ userId: 7, password: PASSWORD }) }),
    login_failed: async () => ({ path: V1_TICKETS, init: post({ userId: 'admin', password: 'wrong' }) }),
    cross_site_login: async () => ({
      path: V1_TICKETS,
      init: { ...post({ userId: 'admin', password: PASSWORD }), ...crossSite },
    }),
    passwords_unavailable: async () => ({
      path: V1_TICKETS,
      init: post({ userId: 'nobody', password: 'wrong' }),
    }),
    hash_queue_full: async () => ({ path: V1_TICKETS, init: post({ userId: 'admin', password: 'wrong' }) }),
  },
  'v1/ticket.get': {
    ticket_id_unknown: (service) => signedIn(service, `${V1_TICKETS}/${UNKNOWN_TICKET}`),
    ticket_not_presented: async () => ({ path: V1_ME, init: { headers: AS_ADMIN } }),
  },
  'v1/ticket.delete': {
    ticket_id_unknown: async (service) => ({
      ...(await signedIn(service, `${V1_TICKETS}/${UNKNOWN_TICKET}`)),
      init: { method: 'DELETE' },
    }),
    ticket_not_presented: async () => ({ path: V1_ME, init: { method: 'DELETE', headers: AS_ADMIN } }),
  },
};
