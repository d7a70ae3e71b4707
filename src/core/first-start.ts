import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { COMMAND_LINE } from './domain/event.ts';
import { newUser } from './domain/user.ts';
import { faultOfNewPassword } from './identity/new-password.ts';
import { type HashCost, hashPassword } from './identity/password-hash.ts';
import { makeFolder } from './make-folder.ts';
import { newPasswordRulesIn } from './settings/derived.ts';
import { type GivenSetting, secretOf } from './settings/given.ts';
import { SettingsFaulty } from './settings/read.ts';
import type { Settings } from './settings/table.ts';
import { syncToDisk } from './storage/on-disk.ts';
import type { Store } from './storage/store.ts';

/** The name of the administrator that a first start makes. */
export const FIRST_ADMINISTRATOR = 'admin';

/** The file in the data folder that holds the first administrator's password after a start without a terminal. */
export const initialPasswordIn = (data: string): string => resolve(data, 'initial-password');

/** The message for the operator about the new administrator. */
export type Announcement =
  | { readonly kind: 'shown'; readonly password: string }
  | { readonly kind: 'in-file'; readonly file: string }
  | { readonly kind: 'given' };

async function passwordFor(settings: Settings): Promise<string> {
  const { adminPassword } = settings;
  if (adminPassword === undefined) return randomBytes(18).toString('base64url');
  const password = textGiven(adminPassword);
  const fault = await faultOfNewPassword(password, newPasswordRulesIn(settings, FIRST_ADMINISTRATOR));
  if (fault !== undefined) throw new SettingsFaulty([`${adminPassword.from}: ${fault.sentence}`]);
  return password;
}

function textGiven(adminPassword: GivenSetting): string {
  try {
    return secretOf(adminPassword);
  } catch (error) {
    throw new SettingsFaulty([`${adminPassword.from}: ${(error as Error).message}`]);
  }
}

/** Writes a password to a file that only the operator can read. Replaces an older file. */
function writePrivately(file: string, password: string): void {
  try {
    makeFolder(dirname(file));
    rmSync(file, { force: true });
    writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
    syncToDisk(dirname(file));
  } catch (error) {
    throw new SettingsFaulty([
      `TESSERA_DATA: the first administrator's password cannot be written there: ${(error as Error).message}: name a folder that can be written, or give a password in TESSERA_ADMIN_PASSWORD_FILE`,
    ]);
  }
}

/**
 * Makes the administrator `admin` if there is no user, with the given password or a random one. A random password is
 * shown on the terminal; without a terminal it is written to `initial-password` in the data folder. The sign-in page has
 * its user choose another one; logins of programs go on with it. If several processes start together, one of them makes the user: user and file are made in one write unit. Throws {@link
 * SettingsFaulty} if the password is refused or the file cannot be written.
 */
export async function makeFirstAdministrator(
  store: Store,
  settings: Settings,
  cost: HashCost,
  onTerminal: boolean,
  clock: () => number,
): Promise<Announcement | undefined> {
  const password = await passwordFor(settings);
  const passwordHash = await hashPassword(password, cost);
  const file = initialPasswordIn(settings.data);
  return store.write(async (unit) => {
    if ((await unit.users.count()) > 0) return undefined;
    const { namesCaseSensitive, adminPassword } = settings;
    const mustChangePassword = adminPassword === undefined;
    const state = { namesCaseSensitive, passwordHash, administrator: true, mustChangePassword };
    await unit.users.add(newUser(FIRST_ADMINISTRATOR, state));
    await unit.events.append({
      at: clock(),
      kind: 'user-added',
      user: FIRST_ADMINISTRATOR,
      from: COMMAND_LINE,
      reason: 'first start',
    });
    if (adminPassword !== undefined) return { kind: 'given' };
    if (onTerminal) return { kind: 'shown', password };
    writePrivately(file, password);
    return { kind: 'in-file', file };
  });
}

/** The text quoted as one word of a shell command. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Lines for the operator: which administrator was made, and the password or the file that holds it. */
export function announced(announcement: Announcement): string {
  const line = `Made the administrator "${FIRST_ADMINISTRATOR}"`;
  switch (announcement.kind) {
    case 'given':
      return `${line} with the password that was given.\n`;
    case 'shown':
      return `${line}. Its password is shown this once:\n\n  ${announcement.password}\n\n`;
    case 'in-file':
      return `${line}. Its password is in ${announcement.file}\n`;
  }
}

/**
 * Lines for the operator: how to log in for the first time. Empty if the operator gave the password. `login` holds the
 * arguments of curl for the login, and `portal` is the address of the pages, if a browser here can sign in.
 */
export function firstLogin(announcement: Announcement, login: string, portal: string | undefined): string {
  if (announcement.kind === 'given') return '';
  const password =
    announcement.kind === 'shown' ? announcement.password : `'"$(cat ${quoted(announcement.file)})"'`;
  const curl = `Log in with\n  curl -s ${login} -d '{"username":"${FIRST_ADMINISTRATOR}","password":"${password}"}'\n`;
  return portal === undefined ? curl : `${curl}or in a browser at\n  ${portal}\n`;
}
