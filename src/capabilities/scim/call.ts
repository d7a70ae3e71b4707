import { SCIM } from '../../core/api.ts';
import type { HashCost } from '../../core/identity/password-hash.ts';

/** The members that all operations of SCIM share: they take API keys that are for SCIM alone, and speak JSON. */
export const SCIM_CALL = {
  lifecycle: 'public_api',
  family: 'SCIM',
  api: SCIM,
  authentication: 'admin',
  role: 'scim',
  transaction: 'required',
  formatStyle: 'argument',
  defaultFormat: 'json',
} as const;

/** The rules for users who are provisioned. */
export interface ScimRules {
  /** The directory or identity provider that they belong to; undefined if they have passwords here. */
  readonly provider: string | undefined;
  /** The cost of their password hashes. */
  readonly hashCost: HashCost;
}
