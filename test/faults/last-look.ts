import { setTimeout as pause } from 'node:timers/promises';
import type { History } from '../histories/record.ts';
import type { Book } from './book.ts';
import type { Member } from './fleet.ts';
import { UserAgent } from './user-agent.ts';

const AT_A_TIME = 32;
/** How often an instance is asked again that puts off its answer. */
const TRIES = 20;

/**
 * Asks every instance for every ticket, so that the history tells what became of each. Returns how many tickets some instance
 * said neither yes nor no of.
 */
export async function lastLook(instances: readonly Member[], history: History, book: Book): Promise<number> {
  const agent = new UserAgent(book, history, 'last look');
  const logins = history.intervals.filter(({ operation }) => operation.act === 'login');
  const left = logins.flatMap(({ ticket }) => ticket ?? []);
  let undecided = 0;
  const askAll = (ticket: string) => Promise.all(instances.map((instance) => ask(agent, instance, ticket)));
  const asker = async () => {
    for (let ticket = left.pop(); ticket !== undefined; ticket = left.pop()) {
      const answers = await askAll(ticket);
      if (answers.includes(undefined)) undecided += 1;
      // A yes that comes after a no has no order; one beside it may have come first.
      else if (new Set(answers).size > 1) await askAll(ticket);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, asker));
  return undecided;
}

async function ask(agent: UserAgent, instance: Member, ticket: string) {
  for (let left = TRIES; left > 0; left--) {
    const answer = await agent.validate(instance, ticket);
    if (answer !== undefined) return answer;
    await pause(100);
  }
  return undefined;
}
