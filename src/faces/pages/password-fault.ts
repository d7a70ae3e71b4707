import type { GuessablePart, PasswordFault, PolicyFault } from '../../core/domain/password-fault.ts';
import type { Language, Say, TextKey } from './texts/texts.ts';

const PARTS = {
  words: 'newPassword.partWords',
  repetitions: 'newPassword.partRepetitions',
  sequences: 'newPassword.partSequences',
  keys: 'newPassword.partKeys',
  dates: 'newPassword.partDates',
} as const satisfies Record<GuessablePart, TextKey>;

const SENTENCES = {
  common: 'newPassword.common',
  named: 'newPassword.named',
  long: 'newPassword.long',
  breached: 'newPassword.breached',
  unchecked: 'newPassword.unchecked',
  same: 'newPassword.same',
} as const satisfies Partial<Record<PasswordFault['code'], TextKey>>;

const POLICY = {
  short: 'newPassword.policyShort',
  inHistory: 'newPassword.policyInHistory',
  quality: 'newPassword.policyQuality',
  young: 'newPassword.policyYoung',
  notAllowed: 'newPassword.policyNotAllowed',
  refused: 'newPassword.policyRefused',
  unanswered: 'newPassword.policyUnanswered',
} as const satisfies Record<PolicyFault, TextKey>;

/** Says why a new password is refused, and what to do. */
export function sayPasswordFault(
  { language, say }: { readonly language: Language; readonly say: Say },
  fault: PasswordFault,
): string {
  if (fault.code === 'short') return say('newPassword.short', { count: fault.length, least: fault.least });
  if (fault.code === 'policy') return say(POLICY[fault.why]);
  if (fault.code !== 'guessable') return say(SENTENCES[fault.code]);
  const parts = fault.madeOf.map((part) => say(PARTS[part]));
  if (parts.length === 0) parts.push(say('newPassword.fewCharacters'));
  return say('newPassword.guessable', { parts: new Intl.ListFormat(language).format(parts) });
}
