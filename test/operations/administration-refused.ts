import { newUser } from '../../src/core/domain/user.ts';
import type { TestService } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { addNamed } from './named.ts';

/** A request. Its path is below a base path of its operation, and has neither extension nor query. */
export interface Example {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly init?: RequestInit;
}

/** For each refusal, a call that gets it. */
export type Refused = Readonly<Record<string, (service: TestService) => Promise<Example>>>;

export const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
const put = (body: unknown): RequestInit => ({ method: 'PUT', body: JSON.stringify(body) });

/** A call by an administrator. */
export async function administering(
  { url }: TestService,
  target: string,
  init: RequestInit = {},
): Promise<Example> {
  const [path = '', query = ''] = target.split('?');
  const headers = { authorization: `Bearer ${await logIn(url)}` };
  return { path, query: Object.fromEntries(new URLSearchParams(query)), init: { ...init, headers } };
}

/** A call by the first administrator about lara, a user of the directory. */
export async function aboutDirectoryUser(
  service: TestService,
  target: string,
  init: RequestInit,
): Promise<Example> {
  const lara = newUser('lara', { namesCaseSensitive: false, passwordHash: undefined, provider: 'ldap' });
  await service.store.write(({ users }) => users.add(lara));
  return administering(service, target, init);
}

/** The same call, after the first administrator has got a second factor. */
export async function withFactor({ store }: TestService, example: Promise<Example>): Promise<Example> {
  const call = await example;
  await store.write(async ({ users }) => {
    const admin = await users.findByKey('admin');
    if (admin === undefined) throw new Error('no first administrator');
    await users.change(admin.id, { hasSecondFactor: true });
  });
  return call;
}

/** For each operation at level `admin`, a call for each refusal that it declares. */
export const REFUSED_OF_ADMINISTRATION: Readonly<Record<string, Refused>> = {
  'admin/apikeys.get': {
    argument_invalid: (service) => administering(service, '/api/admin/api-keys?limit=0'),
    cursor_invalid: (service) => administering(service, '/api/admin/api-keys?cursor=x'),
  },
  'admin/apikeys.post': {
    body_unreadable: (service) =>
      administering(service, '/api/admin/api-keys', { method: 'POST', body: '{' }),
    body_invalid: (service) =>
      administering(service, '/api/admin/api-keys', post({ name: 'deploy', role: 'god' })),
    api_key_taken: async (service) => {
      await service.store.write(addNamed);
      return administering(service, '/api/admin/api-keys', post({ name: 'backup', role: 'auditor' }));
    },
  },
  'admin/apikey.get': {
    api_key_not_found: (service) => administering(service, '/api/admin/api-keys/nothing'),
  },
  'admin/apikey.delete': {
    api_key_not_found: (service) =>
      administering(service, '/api/admin/api-keys/nothing', { method: 'DELETE' }),
  },
  'admin/clients.get': {
    argument_invalid: (service) => administering(service, '/api/admin/clients?limit=0'),
    cursor_invalid: (service) => administering(service, '/api/admin/clients?cursor=x'),
  },
  'admin/clients.post': {
    body_unreadable: (service) => administering(service, '/api/admin/clients', post({ title: 'x' })),
    body_invalid: (service) => administering(service, '/api/admin/clients', post({ name: 'a b' })),
    client_taken: async (service) => {
      await service.store.write(addNamed);
      return administering(service, '/api/admin/clients', post({ name: 'portal' }));
    },
  },
  'admin/applications.get': {
    argument_invalid: (service) => administering(service, '/api/admin/applications?limit=0'),
    cursor_invalid: (service) => administering(service, '/api/admin/applications?cursor=x'),
  },
  'admin/application.get': {
    application_not_found: (service) => administering(service, '/api/admin/applications/nothing'),
  },
  'admin/application.put': {
    body_unreadable: (service) => administering(service, '/api/admin/applications/wiki', put([])),
    body_invalid: (service) =>
      administering(service, '/api/admin/applications/wiki', put({ redirectUris: [] })),
  },
  'admin/application.delete': {
    application_not_found: (service) =>
      administering(service, '/api/admin/applications/nothing', { method: 'DELETE' }),
  },
  'admin/applications/secret.post': {
    application_not_found: (service) =>
      administering(service, '/api/admin/applications/nothing/secret', { method: 'POST' }),
    async secret_impossible(service) {
      await service.store.write(async ({ clients, applications }) => {
        await clients.add({ name: 'wiki', secretDigest: undefined, addedAt: 1 });
        await applications.put('wiki', { redirectUris: ['https://wiki.example.org/back'], public: true });
      });
      return administering(service, '/api/admin/applications/wiki/secret', { method: 'POST' });
    },
  },
  'admin/signingkeys.post': {
    body_unreadable: (service) => administering(service, '/api/admin/signing-keys', post([])),
  },
  'admin/gate/explanation.get': {
    argument_invalid: (service) => administering(service, '/api/admin/gate/explanation?url=x'),
    user_not_found: (service) =>
      administering(service, '/api/admin/gate/explanation?url=https://x/&user=nobody'),
  },
  'admin/webhooks/replay.post': {
    body_unreadable: (service) => administering(service, '/api/admin/webhooks/siem/replay', post([])),
    body_invalid: (service) =>
      administering(service, '/api/admin/webhooks/siem/replay', post({ which: 'x' })),
    receiver_not_found: (service) => administering(service, '/api/admin/webhooks/nothing/replay', post({})),
    async cursor_invalid(service) {
      await service.store.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: [] }]));
      return administering(service, '/api/admin/webhooks/siem/replay', post({ cursor: 'x' }));
    },
  },
  'admin/client.get': {
    client_not_found: (service) => administering(service, '/api/admin/clients/nothing'),
  },
  'admin/client.delete': {
    client_not_found: (service) => administering(service, '/api/admin/clients/nothing', { method: 'DELETE' }),
  },
  'admin/lockouts.get': {
    argument_invalid: (service) => administering(service, '/api/admin/lock-outs?limit=0'),
    cursor_invalid: (service) => administering(service, '/api/admin/lock-outs?cursor=x'),
  },
  'admin/lockout.get': {
    user_not_found: (service) => administering(service, '/api/admin/lock-outs/nobody'),
  },
  'admin/lockout.delete': {
    user_not_found: (service) => administering(service, '/api/admin/lock-outs/nobody', { method: 'DELETE' }),
  },
  'admin/events.get': {
    argument_invalid: (service) => administering(service, '/api/admin/events?kind=birthday'),
    cursor_invalid: (service) => administering(service, '/api/admin/events?cursor=x'),
  },
  'admin/events/counts.get': {
    argument_invalid: (service) => administering(service, '/api/admin/events/counts?step=day&number=32'),
  },
  'admin/events/stream.get': {
    argument_invalid: (service) => administering(service, '/api/admin/events/stream?kind=birthday'),
    cursor_invalid: (service) => administering(service, '/api/admin/events/stream?cursor=x'),
  },
};
