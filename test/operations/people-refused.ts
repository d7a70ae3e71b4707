import { newUser } from '../../src/core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../src/core/storage/store.ts';
import type { TestService } from '../service/start.ts';
import {
  aboutDirectoryUser,
  administering,
  type Example,
  post,
  type Refused,
  withFactor,
} from './administration-refused.ts';
import { addNamed } from './named.ts';

const sent = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });
const patch = (body: unknown) => sent('PATCH', body);
const put = (body: unknown) => sent('PUT', body);
const PUT = { method: 'PUT' };
const DELETE = { method: 'DELETE' };
const UNREADABLE = '{';

const USERS = '/api/admin/users';
const INVITATIONS = '/api/admin/invitations';
const MAIL_TEST = '/api/admin/mail/test';
const GROUPS = '/api/admin/groups';
const HARD = 'four quiet rivers meeting';

/** A call by the first administrator, where what the examples name is there. */
async function amongNamed(service: TestService, target: string, init?: RequestInit): Promise<Example> {
  await service.store.write(addNamed);
  return administering(service, target, init);
}

/** The same by an API key: a login might wait for its hash where nothing may wait. */
async function byKey(service: TestService, path: string, init: RequestInit): Promise<Example> {
  await service.store.write(addNamed);
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  return { path, init: { ...init, headers: { authorization } } };
}

/** The first administrator is one by a group within the group `bosses` only. */
async function ruleByGroups(unit: WriteUnit): Promise<void> {
  const { users, groups } = unit;
  const admin = await users.findByKey('admin');
  const bosses = await groups.add({ name: 'bosses', key: 'bosses', displayName: '', role: 'administrator' });
  const chiefs = await groups.add({ name: 'chiefs', key: 'chiefs', displayName: '', role: undefined });
  if (admin === undefined || bosses === undefined || chiefs === undefined)
    throw new Error('not a fresh store');
  await groups.addGroup(bosses.id, chiefs.id);
  await groups.addUser(chiefs.id, admin.id);
  await users.change(admin.id, { administrator: false });
}

async function ruledByGroups(service: TestService, target: string, init: RequestInit): Promise<Example> {
  await service.store.write(ruleByGroups);
  return administering(service, target, init);
}

/** The calls of a list with pages that are refused, whatever it lists. */
const listed = (target: string): Refused => ({
  argument_invalid: (service) => amongNamed(service, `${target}?limit=0`),
  cursor_invalid: (service) => amongNamed(service, `${target}?cursor=x`),
});

const noUser = (below: string, init?: RequestInit): Refused => ({
  user_not_found: (service) => amongNamed(service, `${USERS}/nobody${below}`, init),
});
const noGroup = (below: string, init?: RequestInit): Refused => ({
  group_not_found: (service) => amongNamed(service, `${GROUPS}/nothing${below}`, init),
});

/** A change of the own account by the first administrator, who has a second factor. */
const ownChange = (below: string, init: RequestInit): Refused => ({
  proof_needed: (service) => withFactor(service, administering(service, `${USERS}/admin${below}`, init)),
});

const V1_PEOPLE = '/alfresco/versions/1/people';
const V1_GROUPS = '/alfresco/versions/1/groups';
const DORA = { id: 'dora', firstName: 'Dora', email: 'dora@example.org', password: HARD };

/** Has each read find more than a list looks through, whatever it asks for. */
function endless(unit: ReadUnit): ReadUnit {
  const group = (id: number) => ({ id, name: `g${id}`, key: `g${id}`, displayName: '', role: undefined });
  const user = (id: number) => ({
    ...newUser(`u${id}`, { namesCaseSensitive: false, passwordHash: undefined }),
    id,
  });
  const full = <T>(limit: number, one: (id: number) => T) =>
    Array.from({ length: limit }, (_, at) => one(at));
  const over = <T extends object>(part: T, more: Partial<T>): T => Object.assign(Object.create(part), more);
  return over(unit, {
    users: over(unit.users, { count: async () => 1_000_000 }),
    groups: over(unit.groups, {
      page: async (_prefix, _after, limit) => full(limit, group),
      usersIn: async (_group, _after, limit) => full(limit, user),
    }),
  });
}

async function amongTooMany(service: TestService, target: string): Promise<Example> {
  const call = await amongNamed(service, target);
  const { store } = service;
  const { read } = store;
  store.read = (work) => read.call(store, (unit) => work(endless(unit)) as never) as never;
  return call;
}

/** The calls of a list of the v1 API that are refused, whatever it lists. */
const listedByV1 = (target: string): Refused => ({
  argument_invalid: (service) => amongNamed(service, `${target}?orderBy=size`),
  skip_count_negative: (service) => amongNamed(service, `${target}?skipCount=-1`),
  max_items_not_positive: (service) => amongNamed(service, `${target}?maxItems=0`),
  filter_too_wide: (service) =>
    amongTooMany(service, `${target}?orderBy=${target === V1_PEOPLE ? 'firstName' : 'id'}`),
});

const noV1Group = (below: string, init?: RequestInit): Refused => ({
  group_not_found: (service) => amongNamed(service, `${V1_GROUPS}/nothing${below}`, init),
});

/** For each operation about users, groups and their tickets, a call for each refusal that it declares. */
export const REFUSED_OF_PEOPLE: Readonly<Record<string, Refused>> = {
  'admin/users/users.get': listed(USERS),
  'admin/users/apppasswords.get': {
    ...listed(`${USERS}/carol/app-passwords`),
    ...noUser('/app-passwords'),
  },
  'admin/users/apppasswords.post': {
    ...noUser('/app-passwords', post({ name: 'scanner' })),
    body_unreadable: (service) =>
      amongNamed(service, `${USERS}/carol/app-passwords`, post({ title: 'scanner' })),
    body_invalid: (service) =>
      amongNamed(service, `${USERS}/carol/app-passwords`, post({ name: 'scanner', addresses: ['here'] })),
    name_taken: (service) => amongNamed(service, `${USERS}/carol/app-passwords`, post({ name: 'mail' })),
    password_needed: (service) => amongNamed(service, `${USERS}/dave/app-passwords`, post({ name: 'mail' })),
    ...ownChange('/app-passwords', post({ name: 'scanner' })),
  },
  'admin/users/apppassword.delete': {
    ...noUser('/app-passwords/mail', DELETE),
    app_password_not_found: (service) => amongNamed(service, `${USERS}/carol/app-passwords/nothing`, DELETE),
  },
  'admin/users/users.post': {
    body_unreadable: (service) => administering(service, USERS, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, USERS, post({ userName: 'a:b' })),
    name_taken: (service) => amongNamed(service, USERS, post({ userName: 'CAROL' })),
    password_needed: (service) => administering(service, USERS, post({ userName: 'dora', role: 'auditor' })),
    new_password_refused: (service) =>
      administering(service, USERS, post({ userName: 'dora', password: 'short' })),
    hash_queue_full: (service) => byKey(service, USERS, post({ userName: 'dora', password: HARD })),
  },
  'admin/invitations.post': {
    body_unreadable: (service) => administering(service, INVITATIONS, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, INVITATIONS, post({ userName: 'a:b' })),
    password_elsewhere: (service) => aboutDirectoryUser(service, INVITATIONS, post({ userName: 'lara' })),
    proof_needed: (service) =>
      withFactor(service, administering(service, INVITATIONS, post({ userName: 'admin' }))),
    hash_queue_full: (service) => byKey(service, INVITATIONS, post({ userName: 'dora' })),
  },
  'admin/mail/test.post': {
    body_unreadable: (service) => administering(service, MAIL_TEST, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, MAIL_TEST, post({ to: 'a@b.example, c@d.example' })),
  },
  'admin/users/user.get': noUser(''),
  'admin/users/user.patch': {
    ...noUser('', patch({ email: 'a@b.example' })),
    body_unreadable: (service) =>
      amongNamed(service, `${USERS}/carol`, { method: 'PATCH', body: UNREADABLE }),
    body_invalid: (service) => amongNamed(service, `${USERS}/carol`, patch({ email: 'a\u0000b' })),
    password_needed: async (service) => {
      await service.addUser('guest', { password: undefined });
      return administering(service, `${USERS}/guest`, patch({ role: 'auditor' }));
    },
    password_elsewhere: (service) =>
      aboutDirectoryUser(service, `${USERS}/lara`, patch({ mustChangePassword: true })),
    last_administrator: (service) => administering(service, `${USERS}/admin`, patch({ disabled: true })),
  },
  'admin/users/user.delete': {
    ...noUser('', DELETE),
    last_administrator: (service) => administering(service, `${USERS}/admin`, DELETE),
  },
  'admin/users/password.put': {
    ...noUser('/password', put({ password: HARD })),
    body_unreadable: (service) =>
      amongNamed(service, `${USERS}/carol/password`, { ...PUT, body: UNREADABLE }),
    new_password_refused: (service) =>
      amongNamed(service, `${USERS}/carol/password`, put({ password: 'short' })),
    password_elsewhere: (service) =>
      aboutDirectoryUser(service, `${USERS}/lara/password`, put({ password: HARD })),
    hash_queue_full: (service) => byKey(service, `${USERS}/carol/password`, put({ password: HARD })),
    ...ownChange('/password', put({ password: HARD })),
  },
  'admin/tickets.get': listed('/api/admin/tickets'),
  'admin/users/tickets.get': { ...noUser('/tickets'), ...listed(`${USERS}/carol/tickets`) },
  'admin/users/secondfactor.get': noUser('/second-factor'),
  'admin/users/secondfactor.delete': {
    ...noUser('/second-factor', DELETE),
    ...ownChange('/second-factor', DELETE),
  },
  'admin/users/tickets.delete': noUser('/tickets', DELETE),
  'admin/users/ticket.delete': {
    ...noUser('/tickets/c0ffee00', DELETE),
    ticket_not_found: (service) => amongNamed(service, `${USERS}/carol/tickets/00000000`, DELETE),
  },
  'admin/groups/groups.get': listed(GROUPS),
  'admin/groups/groups.post': {
    body_unreadable: (service) => administering(service, GROUPS, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, GROUPS, post({ name: 'EVERYONE' })),
    name_taken: (service) => amongNamed(service, GROUPS, post({ name: 'GROUP_STAFF' })),
  },
  'admin/groups/group.get': noGroup(''),
  'admin/groups/group.patch': {
    ...noGroup('', patch({ displayName: 'Nothing' })),
    body_unreadable: (service) =>
      amongNamed(service, `${GROUPS}/staff`, { method: 'PATCH', body: UNREADABLE }),
    body_invalid: (service) => amongNamed(service, `${GROUPS}/staff`, patch({ displayName: '' })),
    last_administrator: (service) => ruledByGroups(service, `${GROUPS}/bosses`, patch({ role: 'none' })),
  },
  'admin/groups/group.delete': {
    ...noGroup('', DELETE),
    last_administrator: (service) => ruledByGroups(service, `${GROUPS}/bosses`, DELETE),
  },
  'admin/groups/members.get': { ...noGroup('/members'), ...listed(`${GROUPS}/staff/members`) },
  'admin/groups/memberuser.put': {
    ...noGroup('/users/carol', PUT),
    user_not_found: (service) => amongNamed(service, `${GROUPS}/staff/users/nobody`, PUT),
  },
  'admin/groups/memberuser.delete': {
    ...noGroup('/users/carol', DELETE),
    user_not_found: (service) => amongNamed(service, `${GROUPS}/staff/users/nobody`, DELETE),
    last_administrator: (service) => ruledByGroups(service, `${GROUPS}/chiefs/users/admin`, DELETE),
  },
  'admin/groups/membergroup.put': {
    ...noGroup('/groups/guests', PUT),
    group_circle: (service) => amongNamed(service, `${GROUPS}/interns/groups/staff`, PUT),
  },
  'admin/groups/membergroup.delete': {
    ...noGroup('/groups/interns', DELETE),
    last_administrator: (service) => ruledByGroups(service, `${GROUPS}/bosses/groups/chiefs`, DELETE),
  },
  'v1/people.get': listedByV1(V1_PEOPLE),
  'v1/people.post': {
    body_unreadable: (service) => administering(service, V1_PEOPLE, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, V1_PEOPLE, post({ ...DORA, id: 'a:b' })),
    name_taken: (service) => amongNamed(service, V1_PEOPLE, post({ ...DORA, id: 'CAROL' })),
    new_password_refused: (service) =>
      administering(service, V1_PEOPLE, post({ ...DORA, password: 'short' })),
    hash_queue_full: (service) => byKey(service, V1_PEOPLE, post(DORA)),
  },
  'v1/person.put': {
    person_not_found: (service) => amongNamed(service, `${V1_PEOPLE}/nobody`, put({ jobTitle: 'Editor' })),
    body_unreadable: (service) => amongNamed(service, `${V1_PEOPLE}/carol`, put({ skypeId: 'carol' })),
    body_invalid: (service) => amongNamed(service, `${V1_PEOPLE}/carol`, put({ email: 'a\u0000b' })),
    new_password_refused: (service) => amongNamed(service, `${V1_PEOPLE}/carol`, put({ password: 'short' })),
    password_elsewhere: (service) =>
      aboutDirectoryUser(service, `${V1_PEOPLE}/lara`, put({ password: HARD })),
    proof_needed: (service) =>
      withFactor(service, administering(service, `${V1_PEOPLE}/-me-`, put({ password: HARD }))),
    last_administrator: (service) => administering(service, `${V1_PEOPLE}/admin`, put({ enabled: false })),
    hash_queue_full: (service) => byKey(service, `${V1_PEOPLE}/carol`, put({ password: HARD })),
  },
  'v1/groups.get': listedByV1(V1_GROUPS),
  'v1/groups.post': {
    body_unreadable: (service) => administering(service, V1_GROUPS, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) => administering(service, V1_GROUPS, post({ id: 'EVERYONE' })),
    name_taken: (service) => amongNamed(service, V1_GROUPS, post({ id: 'GROUP_STAFF' })),
    group_not_found: (service) =>
      amongNamed(service, V1_GROUPS, post({ id: 'editors', parentIds: ['GROUP_nothing'] })),
  },
  'v1/group.get': noV1Group(''),
  'v1/group.put': {
    ...noV1Group('', put({ displayName: 'Nothing' })),
    body_unreadable: (service) => amongNamed(service, `${V1_GROUPS}/staff`, { ...PUT, body: UNREADABLE }),
    body_invalid: (service) => amongNamed(service, `${V1_GROUPS}/staff`, put({ displayName: '' })),
  },
  'v1/group.delete': {
    ...noV1Group('', DELETE),
    argument_invalid: (service) => amongNamed(service, `${V1_GROUPS}/staff?cascade=true`, DELETE),
    last_administrator: (service) => ruledByGroups(service, `${V1_GROUPS}/bosses`, DELETE),
  },
  'v1/members.get': { ...noV1Group('/members'), ...listedByV1(`${V1_GROUPS}/staff/members`) },
  'v1/members.post': {
    ...noV1Group('/members', post({ id: 'carol', memberType: 'PERSON' })),
    user_not_found: (service) =>
      amongNamed(service, `${V1_GROUPS}/staff/members`, post({ id: 'nobody', memberType: 'PERSON' })),
    body_unreadable: (service) =>
      amongNamed(service, `${V1_GROUPS}/staff/members`, { method: 'POST', body: UNREADABLE }),
    body_invalid: (service) =>
      amongNamed(service, `${V1_GROUPS}/staff/members`, post({ id: 'carol', memberType: 'ROBOT' })),
    group_circle: (service) =>
      amongNamed(service, `${V1_GROUPS}/interns/members`, post({ id: 'GROUP_staff', memberType: 'GROUP' })),
  },
  'v1/member.delete': {
    ...noV1Group('/members/carol', DELETE),
    user_not_found: (service) => amongNamed(service, `${V1_GROUPS}/staff/members/nobody`, DELETE),
    member_not_found: (service) => amongNamed(service, `${V1_GROUPS}/staff/members/carol`, DELETE),
    last_administrator: (service) => ruledByGroups(service, `${V1_GROUPS}/chiefs/members/admin`, DELETE),
  },
};
