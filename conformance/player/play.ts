import { Pointer } from 'typebox/schema';
import type { Capture, CaseFile, ConformanceCase, Exchange } from './case-file.ts';
import { type CaseDifference, differences } from './differences.ts';
import type { Variables } from './variables.ts';
import { exchange, type ReceivedAnswer, type ServerUnderTest } from './wire.ts';

/**
 * The result of a case. `passed`: the server answers as Tessera does. `reference`: it answers as the reference does, where
 * Tessera departs from the reference on purpose. `beyond`: it lacks something that the reference does not promise either.
 * `failed`: it breaks a promise, or there was no answer to judge. `skipped`: an account that the case needs is missing.
 */
export type CaseVerdict = 'passed' | 'reference' | 'beyond' | 'failed' | 'skipped';

/** A case with its result. */
export interface CaseResult {
  readonly file: CaseFile;
  readonly played: ConformanceCase;
  readonly verdict: CaseVerdict;
  /** Empty for a case that passed or was skipped. */
  readonly differences: readonly CaseDifference[];
}

/** The result of one exchange, or of several up to the first that differs. */
interface Outcome {
  readonly differences: readonly CaseDifference[];
  /** The answer is that of the reference. */
  readonly asReference?: boolean;
  /** There was no answer, or the case itself is faulty. */
  readonly unjudged?: true;
  readonly captured: Variables;
}

/** The value that a capture takes from an answer; undefined where it is not there. */
function capturedFrom({ text, headers }: ReceivedAnswer, capture: Capture): string | undefined {
  if ('header' in capture) return headers[capture.header]?.toString();
  if ('pattern' in capture) return new RegExp(capture.pattern, 'u').exec(text)?.[1];
  try {
    const value = Pointer.Get(JSON.parse(text), capture.pointer);
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}

const failure = (expected: string, came: string): Outcome => ({
  differences: [{ expected, came }],
  captured: {},
});

function judge(
  { answer, reference, capture = {} }: Exchange,
  received: ReceivedAnswer,
  variables: Variables,
): Outcome {
  const found = differences(answer, received, variables);
  if (found.length > 0) {
    const asReference = reference !== undefined && differences(reference, received, variables).length === 0;
    return { differences: found, asReference, captured: {} };
  }
  const captured: Record<string, string> = {};
  for (const [name, from] of Object.entries(capture)) {
    const value = capturedFrom(received, from);
    if (value === undefined)
      return failure(`an answer to take "${name}" from`, `body ${JSON.stringify(received.text)}`);
    captured[name] = value;
  }
  return { differences: [], captured };
}

async function playExchange(each: Exchange, server: ServerUnderTest, variables: Variables): Promise<Outcome> {
  let received: ReceivedAnswer;
  try {
    received = await exchange(each.request, server, variables);
  } catch (error) {
    return { ...failure('an answer', `no answer: ${(error as Error).message}`), unjudged: true };
  }
  try {
    return judge(each, received, variables);
  } catch (error) {
    return { ...failure('a case that can be judged', (error as Error).message), unjudged: true };
  }
}

/** Plays exchanges one after another, up to the first that differs. */
async function playExchanges(
  exchanges: readonly Exchange[],
  server: ServerUnderTest,
  given: Variables,
): Promise<Outcome & { readonly known: Variables }> {
  let known = given;
  for (const each of exchanges) {
    const outcome = await playExchange(each, server, known);
    known = { ...known, ...outcome.captured };
    if (outcome.differences.length > 0) return { ...outcome, known };
  }
  return { differences: [], captured: {}, known };
}

function verdictOf({ mark, exchanges }: ConformanceCase, outcome: Outcome): CaseVerdict {
  if (outcome.differences.length === 0) return 'passed';
  if (mark === '=' || outcome.unjudged) return 'failed';
  if (outcome.asReference) return 'reference';
  const isDescribed = exchanges.some(({ reference }) => reference !== undefined);
  return isDescribed ? 'failed' : 'beyond';
}

/** Plays the cases of a file, one after another. */
export async function* playFile(
  file: CaseFile,
  server: ServerUnderTest,
  given: Variables,
): AsyncGenerator<CaseResult> {
  const before = await playExchanges(file.before ?? [], server, given);
  for (const played of file.cases) {
    if (played.needs?.some((need) => given[need] === undefined)) {
      yield { file, played, verdict: 'skipped', differences: [] };
      continue;
    }
    if (before.differences.length > 0) {
      yield { file, played, verdict: 'failed', differences: before.differences };
      continue;
    }
    const outcome = await playExchanges(played.exchanges, server, before.known);
    yield { file, played, verdict: verdictOf(played, outcome), differences: outcome.differences };
  }
}
