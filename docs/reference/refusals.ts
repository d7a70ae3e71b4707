import { nameOf } from '../../src/description/name.ts';
import { isOfCaller } from '../../src/description/refusals.ts';
import { REFUSALS, type RefusalCode } from '../../src/domain/refusal.ts';
import { STATUS } from '../../src/http/status.ts';
import { operations } from '../../src/operations/all.ts';
import { statusName } from '../../src/representations/status.ts';
import { code, page, table } from './markdown.ts';

const codes = (Object.keys(REFUSALS) as RefusalCode[]).toSorted(
  (one, other) => STATUS[one] - STATUS[other] || (one < other ? -1 : 1),
);

function row(refused: RefusalCode): string[] {
  const declaring = operations
    .filter(({ refusals }) => refusals.includes(refused))
    .map((each) => code(nameOf(each)));
  const all = isOfCaller(refused) ? [...declaring, 'the gate'] : declaring;
  const who = declaring.length === 0 ? 'the gate or HTTP' : all.join(', ');
  const status = STATUS[refused];
  return [`${status} ${statusName(status)}`, code(refused), REFUSALS[refused], who];
}

/** Every refusal with its status, from `src/domain/refusal.ts` and `src/http/status.ts`. */
export function refusalsPage(): string {
  return page(
    '# Refusals',
    `Every "no" that a caller can be given: a closed set. The caller reads the status and the sentence, some with a colon and
a detail behind it. The code is the ${code('outcome')} in the log and in the metrics, and the member ${code('code')} of a
problem document (RFC 9457), which callers get who accept ${code('application/problem+json')}. The last
column names the operations that declare the refusal as their own. "The gate" refuses for every operation of level
${code('user')} that takes a password, "the gate or HTTP" can refuse any operation.`,
    table(['Status', 'Code', 'Sentence', 'From'], codes.map(row)),
    'How the answer looks: [clients](../guide/clients.md). What to do about a refused login: [operating](../guide/operating.md).',
  );
}
