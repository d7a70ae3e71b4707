import { execFileSync } from 'node:child_process';
import type { Manifest } from './shrinkwrap.ts';

interface Component {
  readonly name: string;
  readonly licenses?: readonly unknown[];
}

/** The part of a bill of materials in CycloneDX that is changed here. */
interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/** Licences whose name in a package is no identifier of SPDX. */
const SPDX: Readonly<Record<string, string>> = { 'htmx.org': '0BSD' };

const withLicence = (component: Component): Component =>
  component.licenses === undefined && component.name in SPDX
    ? { ...component, licenses: [{ license: { id: SPDX[component.name] } }] }
    : component;

/**
 * The bill of materials of the package in this folder, which holds its manifest and its lock: CycloneDX 1.5 as JSON, made by npm.
 * It is the same for the same lock: it has neither a serial number nor the time at which it was made.
 */
export function billOfMaterials(folder: string, { name }: Manifest): string {
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const made = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { serialNumber, ...bill } = JSON.parse(made) as BillOfMaterials & { readonly serialNumber: string };
  const { timestamp, tools, component, ...metadata } = bill.metadata as Record<string, unknown> & {
    readonly component: Component;
  };
  const fixed = {
    ...bill,
    metadata: { ...metadata, component: { ...component, name } },
    components: bill.components.map(withLicence),
  };
  return `${JSON.stringify(fixed, null, 2)}\n`;
}
