import { REFUSALS, type RefusalCode } from '../domain/refusal.ts';
import type { StatusCode } from '../representations/status.ts';

const KEYS: Partial<Record<RefusalCode | StatusCode, string>> = {
  path_unknown: 'framework.exception.NotFound',
  404: 'framework.exception.EntityNotFound',
  405: 'framework.exception.UnsupportedResourceOperation',
  413: 'framework.exception.RequestEntityTooLarge',
  503: 'framework.exception.ServiceUnavailableException',
};

/**
 * The key by which programs tell v1 errors apart, as the reference gives them: for what a request says wrong (400)
 * and what is forbidden (403) the fixed sentence itself, for the rest a word for its kind.
 */
export function v1KeyOf(refused: RefusalCode, code: StatusCode): string {
  if (code === 400 || code === 403) return REFUSALS[refused];
  return KEYS[refused] ?? KEYS[code] ?? 'framework.exception.ApiDefault';
}
