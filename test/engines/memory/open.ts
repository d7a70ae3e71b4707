import { WELL_KNOWN_NODES } from '../../../src/capabilities/action-definitions/domain/node.ts';
import {
  type ReadUnit,
  type Store,
  StoreUnavailable,
  type WriteUnit,
} from '../../../src/core/storage/store.ts';
import { endingChildren } from '../../../src/core/storage/unit-members.ts';
import { appPasswordsIn } from './app-passwords.ts';
import { attemptsIn } from './attempts.ts';
import { clientsIn } from './clients.ts';
import { eventsIn } from './events.ts';
import { nodeKey, nodesIn } from './nodes.ts';
import { oidcProviderIn } from './oidc-provider.ts';
import { passkeysIn } from './passkeys.ts';
import { passwordLinksIn } from './password-links.ts';
import { peopleIn } from './people.ts';
import { recoveryCodesIn, totpSecretsIn } from './second-factors.ts';
import { emptyTables, type Sight, type Tables } from './tables.ts';
import { ticketParentsIn, ticketsIn } from './tickets.ts';
import { usersIn } from './users.ts';
import { webhooksIn } from './webhooks.ts';

const nounsIn = (tables: Tables, sight: Sight) => ({
  users: usersIn(tables, sight),
  tickets: ticketsIn(tables, sight),
  ticketParents: ticketParentsIn(tables, sight),
  attempts: attemptsIn(tables, sight),
  events: eventsIn(tables, sight),
  nodes: nodesIn(tables, sight),
  clients: clientsIn(tables, sight),
  ...peopleIn(tables, sight),
  appPasswords: appPasswordsIn(tables, sight),
  totpSecrets: totpSecretsIn(tables, sight),
  recoveryCodes: recoveryCodesIn(tables, sight),
  passkeys: passkeysIn(tables, sight),
  passwordLinks: passwordLinksIn(tables, sight),
  webhooks: webhooksIn(tables, sight),
  ...oidcProviderIn(tables, sight),
});

/** A store in this process's memory, for tests of everything that is not storage. It keeps every promise but survival. */
export function openMemory(): Store {
  return openMemoryOn(emptyTables());
}

/** A store in memory, on tables that the caller can look into. */
export function openMemoryOn(tables: Tables): Store {
  for (const node of WELL_KNOWN_NODES) tables.nodes.set(nodeKey(node), node);
  tables.nodes.commit();
  const all = Object.values(tables);
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function undoable<T>(work: () => Promise<T>): Promise<T> {
    const marks = all.map((table) => table.mark());
    try {
      return await work();
    } catch (error) {
      for (const [index, table] of all.entries()) table.restore(marks[index] as never);
      throw error;
    }
  }

  const readUnit: ReadUnit = nounsIn(tables, 'committed');
  const staged = nounsIn(tables, 'staged');
  const writeUnit: WriteUnit = {
    lock: async () => {},
    ...staged,
    ...endingChildren(staged, () => staged.ticketParents),
    aside: (work) =>
      undoable(work).then(
        () => undefined,
        (fault: unknown) => fault,
      ),
  };
  const assertOpen = () => {
    if (closed) throw new StoreUnavailable('the store is closed');
  };

  return {
    async read(work) {
      assertOpen();
      return work(readUnit);
    },
    async write(work) {
      assertOpen();
      const mine = turn.then(async () => {
        const value = await undoable(() => work(writeUnit));
        for (const table of all) table.commit();
        return value;
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      closed = true;
      await turn;
    },
  };
}
