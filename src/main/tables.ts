import { nodesTable } from '../capabilities/action-definitions/tables/nodes.ts';
import { appPasswordsTable } from '../capabilities/factors/tables/app-passwords.ts';
import { passkeysTable } from '../capabilities/factors/tables/passkeys.ts';
import { recoveryCodesTable, totpSecretsTable } from '../capabilities/factors/tables/second-factors.ts';
import { externalIdentitiesTable } from '../capabilities/people/tables/external-identities.ts';
import { externalIdsTable } from '../capabilities/people/tables/external-ids.ts';
import { freedNamesTable } from '../capabilities/people/tables/freed-names.ts';
import { webhooksTable } from '../capabilities/webhooks/tables/outbox.ts';
import type { UnitTable } from '../engines/sql/statement.ts';

/** The tables of all capabilities, which every engine opens. */
export const TABLES: readonly UnitTable[] = [
  nodesTable,
  appPasswordsTable,
  passkeysTable,
  totpSecretsTable,
  recoveryCodesTable,
  externalIdentitiesTable,
  externalIdsTable,
  freedNamesTable,
  webhooksTable,
];
