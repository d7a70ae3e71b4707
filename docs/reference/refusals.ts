import { REFUSALS, type RefusalCode } from '../../src/core/domain/refusal.ts';
import { STATUS } from '../../src/core/http/status.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { statusName } from '../../src/core/representations/status.ts';
import { nameOf } from '../../src/faces/description/name.ts';
import { refusalsOf } from '../../src/faces/description/openapi/responses.ts';
import { operations } from '../../src/main/operations.ts';
import { code, page, table } from './markdown.ts';

const codes = (Object.keys(REFUSALS) as RefusalCode[]).toSorted(
  (one, other) => STATUS[one] - STATUS[other] || (one < other ? -1 : 1),
);

const named = (some: readonly AnyOperation[]) => some.map((each) => code(nameOf(each))).join(', ');

function whoRefuses(refused: RefusalCode): string {
  const those = operations.filter((each) => refusalsOf(each).includes(refused));
  const others = operations.filter((each) => !those.includes(each));
  if (those.length === 0) return 'HTTP';
  if (others.length === 0) return 'any operation';
  return those.length > others.length ? `any operation but ${named(others)}` : named(those);
}

function row(refused: RefusalCode): string[] {
  const status = STATUS[refused];
  return [`${status} ${statusName(status)}`, code(refused), REFUSALS[refused], whoRefuses(refused)];
}

/** Every refusal with its status, from `src/core/domain/refusal.ts` and `src/core/http/status.ts`. */
export function refusalsPage(): string {
  return page(
    '# Refusals',
    `Every "no" that a caller can be given: a closed set. The caller reads the status and the sentence, some with a colon and
a detail behind it. The code is the ${code('outcome')} in the log and in the metrics, and the member ${code('code')} of a
problem document (RFC 9457), which callers get who accept ${code('application/problem+json')}. The last
column names the operations that can answer so, or HTTP where a request comes to none.`,
    table(['Status', 'Code', 'Sentence', 'From'], codes.map(row)),
    'How the answer looks: [errors](http.md#errors). What to do: [a login is refused](../how-to/refused-login.md).',
  );
}
