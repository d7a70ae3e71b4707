import type { Command } from 'commander';
import { isLockedFor, type Lifetime } from '../../../../core/domain/ticket.ts';
import { UNTIL_UNLOCKED, type User, userKey } from '../../../../core/domain/user.ts';
import { lifetimeIn } from '../../../../core/settings/derived.ts';
import type { Settings } from '../../../../core/settings/table.ts';
import type { UserFilter } from '../../../../core/storage/people.ts';
import type { Store } from '../../../../core/storage/store.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { type PrintedRow, printList, time } from '../../../../faces/cli/print.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';

const PAGE = 1_000;
/** The characters of the shortest text that the store searches for in the middle of a name. */
const SHORTEST_PART = 3;

/** The state of a user as lists show it. */
export function stateOf(user: User, now: number, lifetime: Lifetime): string {
  if (user.disabled) return 'disabled';
  if (!isLockedFor(user, now, lifetime)) return 'active';
  return user.lockedUntil === UNTIL_UNLOCKED ? 'locked' : `locked until ${time(user.lockedUntil)}`;
}

function searchFor(text: string, { namesCaseSensitive }: Settings): UserFilter {
  return [...text].length < SHORTEST_PART ? { prefix: userKey(text, namesCaseSensitive) } : { part: text };
}

/** Every user that passes the filter, with its profile, in pages. */
async function* everyUser(store: Store, filter: UserFilter) {
  for (let after: User | undefined; ; ) {
    const page = await store.read(async (unit) => {
      const users = await unit.users.search(filter, after, PAGE);
      const profiles = await unit.profiles.ofUsers(users.map(({ id }) => id));
      return users.map((user) => ({ user, profile: profiles.get(user.id) ?? {} }));
    });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.user;
  }
}

/** `tessera users list` */
export function listCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'list', 'List the users.')
    .option(
      '--search <text>',
      `Only those with this text in user name, first or last name, or e-mail. Under ${SHORTEST_PART} characters: whose user name begins with it.`,
    )
    .option('--admin', 'Only administrators. Those by a group are not among them.')
    .option('--disabled', 'Only disabled users.')
    .option('--locked', 'Only users who are locked out.')
    .option('--json', 'As JSON, with the profiles.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const lifetime = lifetimeIn(settings);
      await onStore(terminal, settings, async (store, clock) => {
        const now = clock();
        const filter: UserFilter = {
          ...(options.search && searchFor(options.search, settings)),
          administrators: options.admin,
          disabled: options.disabled,
          ...(options.locked && { lockedAt: now }),
        };
        const rows = (async function* (): AsyncGenerator<PrintedRow[]> {
          for await (const page of everyUser(store, filter)) {
            const listed = options.locked
              ? page.filter(({ user }) => isLockedFor(user, now, lifetime))
              : page;
            // The first page sets the widths of the columns, so it must not be empty.
            if (listed.length > 0)
              yield listed.map(({ user, profile }) => ({
                name: user.name,
                administrator: user.administrator,
                state: stateOf(user, now, lifetime),
                password: user.passwordHash !== undefined,
                provider: user.provider,
                ...profile,
              }));
          }
        })();
        await printList(
          terminal,
          ['name', 'administrator', 'state', 'password', 'provider'],
          rows,
          options.json === true,
        );
      });
    });
}
