import { isPasswordless, type User } from '../../core/domain/user.ts';
import { variableOf } from '../../core/settings/table.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

const PAGE = 1_000;
/** Most users that are looked at, so that the check stays short. */
const MOST = 50_000;

/** The enabled users whom any password logs in. */
async function passwordless({ users }: ReadUnit): Promise<readonly User[]> {
  const found: User[] = [];
  let page: readonly User[] = [];
  for (let seen = 0; seen < MOST; seen += page.length) {
    page = await users.page(page.at(-1), PAGE);
    found.push(...page.filter((user) => isPasswordless(user) && !user.disabled));
    if (page.length < PAGE) break;
  }
  return found;
}

/** How many names a finding shows. */
const SHOWN = 5;

function passwordlessFinding(users: readonly User[]): CheckResult | undefined {
  if (users.length === 0) return undefined;
  const names = users.slice(0, SHOWN).map(({ name }) => `"${name}"`);
  const more = users.length > SHOWN ? ` and ${users.length - SHOWN} more` : '';
  return warning(
    `any password logs in as ${names.join(', ')}${more}`,
    "if that is not meant, give each a password with 'tessera users passwd', or disable it",
  );
}

/** The users: whether an administrator can log in, and which users need no password. */
export const usersCheck: DoctorCheck = {
  name: 'users',
  page: 'docs/why/users-without-password.md',
  needsStore: true,
  async look({ settings, store }) {
    const { store: opened } = await store();
    return opened.read(async (unit) => {
      const count = await unit.users.count();
      if (count === 0)
        return [skipped('there is no user yet: the first start makes the administrator admin')];
      const findings: (CheckResult | undefined)[] = [];
      if (!(await unit.roles.hasAdministrator()))
        findings.push(
          fault(
            'no administrator can log in: each is disabled, locked by hand or without a password',
            "make one with 'tessera users change NAME --admin', or enable one with 'tessera users enable NAME'",
          ),
        );
      if (settings.adminPassword !== undefined)
        findings.push(
          warning(
            `${settings.adminPassword.from} still holds the first password of admin, and the service does not need it`,
            `remove ${variableOf('adminPassword')}`,
          ),
        );
      findings.push(passwordlessFinding(await passwordless(unit)));
      return orOk(
        findings.flatMap((each) => each ?? []),
        `${count}, with an administrator who can log in`,
      );
    });
  },
};
