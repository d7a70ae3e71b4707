import type { Forbidden, ForbiddenKind } from '../../../core/domain/outcome.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';

const CODES = {
  invalid: 'body_invalid',
  unknown: 'group_not_found',
  taken: 'name_taken',
  circle: 'group_circle',
  'has-role': 'group_has_role',
  'user-has-role': 'user_has_role',
  'not-provisioned': 'user_not_provisioned',
  passwordless: 'password_needed',
  elsewhere: 'password_elsewhere',
  'last-administrator': 'last_administrator',
} as const satisfies Record<ForbiddenKind, string>;

/** The refusal that tells a caller over HTTP why a rule forbids its change. */
export function refusalOf<K extends ForbiddenKind>({
  forbidden,
  why,
}: Forbidden<K>): Refusal<(typeof CODES)[K]> {
  return refuse(CODES[forbidden], { detail: why });
}
