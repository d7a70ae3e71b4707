import { actionDefinitions } from '../capabilities/action-definitions/capability.ts';
import { admin } from '../capabilities/admin/capability.ts';
import type { Capability } from '../capabilities/capability.ts';
import { factors } from '../capabilities/factors/capability.ts';
import { ldap } from '../capabilities/ldap/capability.ts';
import { mail } from '../capabilities/mail/capability.ts';
import { migration } from '../capabilities/migration/capability.ts';
import { oidc } from '../capabilities/oidc/capability.ts';
import { oidcProvider } from '../capabilities/oidc-provider/capability.ts';
import { people } from '../capabilities/people/capability.ts';
import { proxyGate } from '../capabilities/proxy-gate/capability.ts';
import { scim } from '../capabilities/scim/capability.ts';
import { tracing } from '../capabilities/tracing/capability.ts';
import { webhooks } from '../capabilities/webhooks/capability.ts';

/**
 * Every capability. Its folder and its line here are all that there is of it outside of those that may import it. They are opened
 * in this order, and stopped in the opposite one: traces are sent until the end. Access tokens are verified in this order, too: those of
 * this service first, since identity providers refuse them.
 */
export const CAPABILITIES: readonly Capability[] = [
  tracing,
  people,
  admin,
  factors,
  ldap,
  oidcProvider,
  oidc,
  scim,
  mail,
  webhooks,
  proxyGate,
  actionDefinitions,
  migration,
];
