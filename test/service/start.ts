import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { API_KEY_BYTES } from '../../src/core/domain/api-key.ts';
import type { KeyRole } from '../../src/core/domain/role.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { newApiKey, newClientSecret } from '../../src/core/identity/client-secret.ts';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { hashCostIn } from '../../src/core/settings/derived.ts';
import type { Settings } from '../../src/core/settings/table.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { openLog } from '../../src/core/telemetry/log.ts';
import { type OneProcess, startService } from '../../src/main/main.ts';
import { readSettings } from '../../src/main/settings.ts';
import { openMemory } from '../engines/memory/open.ts';
import { afterwards } from './afterwards.ts';
import { describe } from './described.ts';
import { openNewSqlite, openSqlite } from './stores.ts';

/** The cheapest hash there is: tests are about everything else. */
const CHEAP = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };

/** Long: a machine that stands still for seconds must not look like a client that does. Tests about it set their own. */
const PATIENT = { TESSERA_REQUEST_DEADLINE: 'PT1M' };

/** The hosts by which tests ask, where they are about something else. */
const HOSTS =
  'localhost,127.0.0.1,127.0.0.2,127.0.0.3,::1,10.0.0.7,x,y,a,b,h,backend,example.org,tessera.example.org,portal.example.org';

/** The password of every user that a test makes. */
export const PASSWORD = 'correct-horse-battery';

/** A service under test, with its insides within reach. */
export interface TestService extends OneProcess {
  readonly store: Store;
  readonly settings: Settings;
  readonly data: string;
  /** Lines of the log so far. */
  readonly lines: string[];
  /** Milliseconds to add to the service's clock; time goes on as usual beside it. */
  shiftClock(by: number): void;
  /** Has the service's clock stand still but for such shifts: however slow the machine is, no wait ends by itself. */
  stopClock(): void;
  /** Registers a client, and gives its secret. */
  addClient(name: string): Promise<string>;
  /** Makes an API key with this role, and gives it. */
  addApiKey(role: KeyRole, expiresAt?: number): Promise<string>;
  /** Adds a user, or gives this password to one that is there already. */
  addUser(name: string, more?: { password?: string | undefined; administrator?: boolean }): Promise<void>;
}

const newFolder = (above = tmpdir()) => mkdtemp(join(above, 'tessera-test-'));

/** Where folders are on a disk: those of other tests may be in memory, of which the doctor warns. */
export const ON_DISK = '/var/tmp';

/** A folder of the test's own, removed after it. */
export async function temporaryFolder(t: TestContext, above?: string): Promise<string> {
  const folder = await newFolder(above);
  afterwards(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Stores that depend on nothing that a test removes. */
const INDEPENDENT: readonly unknown[] = [openNewSqlite, openSqlite, openMemory];

/** Stops under way. Each waits a tenth of a second for late connections, and the next test need not wait for that. */
const stops: Promise<void>[] = [];
after(() => Promise.all(stops));

/** Starts a whole service on free ports and stops it after the test. The administrator is `admin`, {@link PASSWORD}. */
export async function startTestService(
  t: TestContext,
  env: Record<string, string> = {},
  makeStore: (folder: string) => Store = openNewSqlite,
): Promise<TestService> {
  const data = await newFolder();
  const ports = { TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0', TESSERA_DATA: data, TESSERA_HOSTS: HOSTS };
  const { settings, inEffect } = readSettings({
    flags: {},
    env: { ...CHEAP, ...PATIENT, ...ports, TESSERA_ADMIN_PASSWORD: PASSWORD, ...env },
  });
  const store = makeStore(data);
  const lines: string[] = [];
  let shift = 0;
  let stoppedAt: number | undefined;
  const log = openLog(settings.logLevel, { write: (line) => void lines.push(line) });
  const removeFolder = () => rm(data, { recursive: true, force: true });
  const clock = () => (stoppedAt ?? Date.now()) + shift;
  const service = await startService(settings, {
    ...{ onTerminal: false, store, log, clock, inEffect },
    openTelemetry: env,
  }).catch(async (fault) => {
    await removeFolder();
    throw fault;
  });
  afterwards(t, async () => {
    const stopped = service.stop().then(removeFolder);
    if (!INDEPENDENT.includes(makeStore)) return stopped;
    stops.push(stopped);
  });
  describe(service.url, settings);
  const cost = hashCostIn(settings);
  return {
    ...service,
    store,
    settings,
    data,
    lines,
    shiftClock(by) {
      shift += by;
    },
    stopClock() {
      stoppedAt = Date.now();
    },
    async addClient(name) {
      const { secret, digest } = newClientSecret();
      await store.write((unit) => unit.clients.add({ name, secretDigest: digest, addedAt: Date.now() }));
      return secret;
    },
    async addApiKey(role, expiresAt) {
      const { key, digest } = newApiKey(randomBytes(API_KEY_BYTES));
      const name = `${role}-${digest.toString('hex', 0, 4)}`;
      await store.write(({ apiKeys }) =>
        apiKeys.add({ name, digest, role, addedAt: Date.now(), expiresAt, usedAt: undefined }),
      );
      return key;
    },
    async addUser(name, { administrator = false, ...more } = {}) {
      const password = 'password' in more ? more.password : PASSWORD;
      const passwordHash = password === undefined ? undefined : await hashPassword(password, cost);
      const user = newUser(name, {
        namesCaseSensitive: settings.namesCaseSensitive,
        passwordHash,
        administrator,
      });
      await store.write(async ({ users }) => {
        const there = await users.findByKey(user.key);
        if (there === undefined) await users.add(user);
        else await users.change(there.id, { passwordHash });
      });
    },
  };
}
