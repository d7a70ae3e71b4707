import { captured } from './capture.ts';
import { type CaseDifference, differences } from './differences.ts';
import type { CaseFile, ConformanceCase, Exchange } from './document.ts';
import type { Variables } from './variables.ts';
import { exchange, type Heard, type PlayedServer } from './wire.ts';

/**
 * What became of a case. `passed`: answered as Tessera answers. `reference`: not so, but as the reference does, from
 * which Tessera departs there on purpose. `beyond`: not so, and the reference does not promise it. `failed`: against
 * what both promise, or there was nothing to judge by. `skipped`: an account is missing that it needs.
 */
export type CaseVerdict = 'passed' | 'reference' | 'beyond' | 'failed' | 'skipped';

/** A case that was played. */
export interface Played {
  readonly file: CaseFile;
  readonly played: ConformanceCase;
  readonly verdict: CaseVerdict;
  readonly differences: readonly CaseDifference[];
}

interface Judged {
  readonly differences: readonly CaseDifference[];
  readonly asReference?: boolean;
  /** There was nothing to judge by: no answer, or a fault of the case. */
  readonly unjudged?: true;
  readonly captured: Variables;
}

function unjudged(expected: string, came: string): Judged {
  return { differences: [{ expected, came }], unjudged: true, captured: {} };
}

function judged({ answer, reference, capture = {} }: Exchange, heard: Heard, variables: Variables): Judged {
  const found = differences(answer, heard, variables);
  if (found.length > 0) {
    const asReference = reference !== undefined && differences(reference, heard, variables).length === 0;
    return { differences: found, asReference, captured: {} };
  }
  const values: Record<string, string> = {};
  for (const [name, from] of Object.entries(capture)) {
    const value = captured(from, heard);
    if (value === undefined) return missing(name, heard.text);
    values[name] = value;
  }
  return { differences: [], captured: values };
}

async function playExchange(each: Exchange, server: PlayedServer, variables: Variables): Promise<Judged> {
  let heard: Heard;
  try {
    heard = await exchange(each.request, server, variables);
  } catch (error) {
    return unjudged('an answer', `no answer: ${(error as Error).message}`);
  }
  try {
    return judged(each, heard, variables);
  } catch (error) {
    return unjudged('a case that can be judged', (error as Error).message);
  }
}

function missing(name: string, text: string): Judged {
  const difference = { expected: `an answer to take "${name}" from`, came: `body ${JSON.stringify(text)}` };
  return { differences: [difference], captured: {} };
}

/** Plays exchanges one after another, up to the first that differs. */
async function playAll(
  exchanges: readonly Exchange[],
  server: PlayedServer,
  given: Variables,
): Promise<Judged & { known: Variables }> {
  let known = given;
  for (const each of exchanges) {
    const told = await playExchange(each, server, known);
    known = { ...known, ...told.captured };
    if (told.differences.length > 0) return { ...told, known };
  }
  return { differences: [], captured: {}, known };
}

function verdictOf({ mark, exchanges }: ConformanceCase, told: Judged): CaseVerdict {
  if (told.differences.length === 0) return 'passed';
  if (mark === '=' || told.unjudged) return 'failed';
  if (told.asReference) return 'reference';
  const isDescribed = exchanges.some(({ reference }) => reference !== undefined);
  return isDescribed ? 'failed' : 'beyond';
}

/** Plays the cases of a file, one after another. */
export async function* playFile(
  file: CaseFile,
  server: PlayedServer,
  given: Variables,
): AsyncGenerator<Played> {
  const before = await playAll(file.before ?? [], server, given);
  for (const played of file.cases) {
    if (played.needs?.some((need) => given[need] === undefined)) {
      yield { file, played, verdict: 'skipped', differences: [] };
      continue;
    }
    if (before.differences.length > 0) {
      yield { file, played, verdict: 'failed', differences: before.differences };
      continue;
    }
    const told = await playAll(played.exchanges, server, before.known);
    yield { file, played, verdict: verdictOf(played, told), differences: told.differences };
  }
}
