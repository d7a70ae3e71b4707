import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from './book.ts';
import type { Member } from './fleet.ts';
import type { Entry, Ledger } from './ledger.ts';
import { UserAgent } from './user-agent.ts';

const AT_A_TIME = 32;
/** How often an instance is asked again that puts off its answer. */
const TRIES = 20;

/** What is left of what was acknowledged. */
export interface Findings {
  /** Logins and logouts that were acknowledged and are not so at some instance. */
  readonly lost: number;
  /** Tickets of which instances say different things, or nothing at all. */
  readonly undecided: number;
}

/** Asks every instance for every ticket. Instances have to agree even where nobody knows what to expect. */
export async function checkAll(instances: readonly Member[], ledger: Ledger, book: Book): Promise<Findings> {
  const agent = new UserAgent(book, ledger);
  const left = [...ledger.entries];
  const found = { lost: 0, undecided: 0 };
  const asker = async () => {
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      const said = await Promise.all(instances.map((instance) => ask(agent, instance, entry)));
      if (entry.state !== 'ending' && said.some((what) => what !== undefined && what !== entry.state))
        found.lost += 1;
      if (said.includes(undefined) || new Set(said).size > 1) found.undecided += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, asker));
  return found;
}

async function ask(agent: UserAgent, instance: Member, entry: Entry): Promise<'live' | 'dead' | undefined> {
  for (let left = TRIES; left > 0; left--) {
    const said = await agent.validate(instance, entry);
    if (said !== undefined) return said;
    await pause(100);
  }
  return undefined;
}
