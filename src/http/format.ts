import { type Refusal, refuse } from '../domain/refusal.ts';
import type { AnyOperation } from '../operation.ts';
import { type Format, formatsOf } from '../representations/representation.ts';

/**
 * The format of an answer (`wire.md` section 2): the extension or the argument `format`, else the operation's
 * default. `Accept` is not asked: real clients send misleading ones.
 */
export function chooseFormat(
  operation: AnyOperation,
  extension: string | undefined,
  argument: string | undefined,
): Format | Refusal<'format_unknown' | 'formats_differ'> {
  const asked = extension || argument;
  if (!asked) return operation.defaultFormat;
  if (extension && argument && extension !== argument) return refuse('formats_differ');
  const offered = formatsOf(operation.output);
  const format = offered.find((candidate) => candidate === asked);
  return format ?? refuse('format_unknown', { detail: `ask for ${offered.join(' or ')}` });
}
