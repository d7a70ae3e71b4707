import { hashCostIn } from '../../core/settings/derived.ts';
import { SettingsFaulty } from '../../core/settings/read.ts';
import { variableOf } from '../../core/settings/table.ts';
import type { OpenedBefore, OpenedCapability, OpeningParts } from '../capability.ts';

/** The operations of SCIM, if they are served. Their code is loaded only then. */
export async function openScim(
  { settings }: OpeningParts,
  { providerState }: OpenedBefore,
): Promise<OpenedCapability | undefined> {
  const { scim, scimProvider } = settings;
  if (!scim) return undefined;
  if (scimProvider !== '' && providerState(scimProvider) === 'off')
    throw new SettingsFaulty([
      `${variableOf('scimProvider')}: no provider in TESSERA_PROVIDERS has the id "${scimProvider}": write the id of one`,
    ]);
  const { scimOperations } = await import('./scim.ts');
  const provider = scimProvider || undefined;
  return { operations: scimOperations({ provider, hashCost: hashCostIn(settings) }) };
}
